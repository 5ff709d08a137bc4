import { contentOf, readJsonItems, speakerOf } from './json-turns.ts'
import { readTranscript } from './transcript.ts'

export interface Turn {
  readonly speaker: string | null
  readonly text: string
}

/**
 * Who says what: the turns of a JSON array of objects, a JSON object, JSON lines (speaker, name or role; content, text
 * or message) or a `Name: text` transcript, texts without the label. Blank turns are left out. An object that says
 * nothing stands as its JSON. Any other text, and JSON in which nobody says anything, is one turn of nobody.
 */
export function parseTurns(text: string): Turn[] {
  return jsonTurns(text) ?? transcriptTurns(text) ?? [{ speaker: null, text }]
}

function jsonTurns(text: string): Turn[] | null {
  const items = readJsonItems(text)?.items ?? []
  if (!items.some(({ value }) => contentOf(value) !== null)) return null
  return items.map(({ source, value }) => ({
    speaker: speakerOf(value),
    text: contentOf(value) ?? source,
  }))
}

function transcriptTurns(text: string): Turn[] | null {
  const turns = readTranscript(text)?.map((turn) => ({
    speaker: turn.speaker,
    text: text.slice(turn.textStart, turn.end).trim(),
  }))
  return turns?.filter((turn) => turn.text !== '') ?? null
}
