import { cleanName, codePointLength, foldCase } from '../text.ts'

/** Longer than this before a colon is a sentence, not a name. */
const MAX_LABEL_CHARS = 40
const MAX_LABEL_WORDS = 4
/** From this many turns on, a transcript in which nobody speaks twice is taken for a list of `Key: value` lines. */
const MIN_TURNS_FOR_LIST = 5

/** 10:32, 2024-05-01T10:32:00Z, 31.12.23, 10:15 PM, and the like; bracketed it may hold words too. */
const BARE_TIME = String.raw`\d[\d.:/,TZ+-]{2,30}(?: {1,2}\d[\d.:TZ+-]{2,20})?(?: {0,2}[AaPp]\.?[Mm]\.?)?`
const BRACKETED_TIME = String.raw`\[[^\]\n]{0,30}\d[^\]\n]{0,30}\]|\([^)\n]{0,30}\d[^)\n]{0,30}\)`
/**
 * Time, name, time, colon, with * or _ of Markdown around the name. No clock ("Room 10:30"), path, URL or `a::b`.
 * All repetition is bounded, so that no line makes it slow.
 */
const TURN_START = new RegExp(
  String.raw`^[ \t]{0,8}(?:(?:${BRACKETED_TIME}|${BARE_TIME})[ \t]{0,3}(?:[-–—|][ \t]{1,3})?)?` +
    String.raw`[*_]{0,2}(?<label>\p{L}[\p{L}\p{M}\p{N}.'’_&/ -]{0,60}?)(?: ?\([^)\n:]{1,30}\))?[*_]{0,2}` +
    String.raw`[ \t]{0,3}(?:${BRACKETED_TIME})?[ \t]{0,3}[:：](?![:/\\])(?<!\d:(?=\d))[*_]{0,2}[ \t]?`,
  'u',
)

/** Small-letter labels that do speak. */
const ROLES = new Set(
  'user assistant system human ai bot agent model customer client support operator interviewer interviewee host guest caller speaker me you'.split(
    ' ',
  ),
)

const PARTICLES = new Set(
  'al bin da de del della den der di do dos du el ibn la le van von y'.split(' '),
)

/** Words that open a line with a colon in notes, mails and forms: none of them speaks. */
const NOT_SPEAKERS = new Set(
  (
    'note notes todo summary subject date time from to cc bcc re fwd ps nb warning error info debug example examples step steps ' +
    'address phone tel email fax title agenda location place attendees participants present when where who why what how name names ' +
    'price total status result results action actions decision decisions tip tips important topic topics source sources link url http ' +
    'https version author license tags category keywords description details background context goal goals conclusion overview ' +
    'introduction update warning caution hint see also due start end deadline owner priority type id input output usage'
  ).split(' '),
)

export interface TranscriptTurn {
  /** Null for what stands before the first turn. */
  readonly speaker: string | null
  /** Where the turn starts in the text, its label included. */
  readonly start: number
  /** Where what is said starts, after the label. */
  readonly textStart: number
  readonly end: number
}

/**
 * The turns of a `Name: text` transcript, from the first character of the text to its last; null for another text.
 * It takes at least two lines that start with what may be a speaker, and in a longer one somebody who speaks twice.
 */
export function readTranscript(text: string): readonly TranscriptTurn[] | null {
  const starts = turnStarts(text)
  if (starts.length < 2) return null
  const speakers = new Set(starts.map(({ speaker }) => foldCase(speaker)))
  if (starts.length >= MIN_TURNS_FOR_LIST && speakers.size === starts.length) return null
  const turns: TranscriptTurn[] = starts.map((turn, at) => ({
    ...turn,
    end: starts[at + 1]?.start ?? text.length,
  }))
  const first = turns[0]?.start ?? 0
  const hasPreamble = text.slice(0, first).trim() !== ''
  return hasPreamble ? [{ speaker: null, start: 0, textStart: 0, end: first }, ...turns] : turns
}

interface TurnStart {
  readonly speaker: string
  readonly start: number
  readonly textStart: number
}

function turnStarts(text: string): TurnStart[] {
  const starts: TurnStart[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const match = TURN_START.exec(line.slice(0, 200))
    const speaker = cleanName(match?.groups?.label ?? '')
    if (match !== null && isSpeaker(speaker)) {
      starts.push({ speaker, start: at, textStart: at + match[0].length })
    }
    at += line.length + 1
  }
  return starts
}

function isSpeaker(label: string): boolean {
  if (label === '' || codePointLength(label) > MAX_LABEL_CHARS) return false
  const words = label.split(' ')
  if (words.length > MAX_LABEL_WORDS || NOT_SPEAKERS.has(foldCase(label))) return false
  return words.every(isNameWord)
}

/** Words of names start with a capital or are in a script without them: "He told me: go" is a sentence. */
function isNameWord(word: string): boolean {
  return !/^\p{Ll}/u.test(word) || ROLES.has(word) || PARTICLES.has(word)
}
