import { parseTurns } from '../../../lib/chunking.ts'
import type { ExtractionInput, RawFact } from '../ports.ts'
import type { Period } from './calendar.ts'
import { findPeriod } from './dates.ts'
import { detectLanguage } from './detect-language.ts'
import type { Language } from './languages.ts'
import { findNames, type NameContext, uniqueNames } from './names.ts'
import { isSmallTalk } from './salience.ts'
import { type Sentence, splitSentences } from './sentences.ts'

/** Length up to which consecutive sentences of a turn make one fact, without the speaker. */
const MAX_FACT_CHARS = 280
/** Speakers that are the owner of the memory: what they say of themselves is its experience. */
const OWNER =
  /^(?:(?:ai|bot|chatbot|assistant|agent|model|chatgpt|gpt(?:-[\w.]+)?|claude|gemini|copilot|llm|assistent|asistente|assistente|助手|アシスタント|ассистент)|.+ ?(?:\((?:ai|bot|assistant)\)|\bbot|\bassistant))$/iu
/** Speakers that are roles and no names. */
const ROLE =
  /^(?:user|human|system|tool|function|developer|customer|client|speaker ?\d*|person ?[a-z\d]?|unknown|q|a|benutzer|usuario|utilisateur|用户|ユーザー|пользователь)$/iu
const NAME_LIKE = /^\p{L}[\p{L}\p{M} .'’-]{0,60}$/u

interface DatedSentence extends Sentence {
  readonly period: Period | null
}

/** The facts that one chunk gives in its mode, in the order of the text. Deterministic; no wording is changed. */
export function extractFacts(input: ExtractionInput): RawFact[] {
  if (!/[\p{L}\p{N}]/u.test(input.text)) return []
  if (input.mode === 'CHUNKS') return [fact(input.text, 'WORLD', null, [])]
  const turns = readTurns(input)
  const context = nameContext(turns, input.text)
  if (input.mode === 'VERBATIM') return [verbatimFact(input, turns, context)]
  return turns.flatMap((turn) => factsOfTurn(turn, input, context))
}

interface Turn {
  readonly speaker: string | null
  readonly text: string
}

/** A chunk that begins inside a turn names its speaker apart. */
function readTurns(input: ExtractionInput): Turn[] {
  return parseTurns(input.text).map((turn, at) => ({
    speaker: turn.speaker ?? (at === 0 ? input.speaker : null),
    text: turn.text,
  }))
}

function nameContext(turns: readonly Turn[], text: string): NameContext {
  const speakers = turns.map((turn) => turn.speaker ?? '').filter(isPerson)
  const known = new Set(speakers.flatMap((speaker) => [speaker, ...speaker.split(' ')]))
  const lowerCaseWords = new Set(text.match(/(?<![\p{L}\p{M}\p{N}'’])\p{Ll}[\p{L}\p{M}]*/gu) ?? [])
  return {
    language: detectLanguage(turns.map((turn) => turn.text).join('\n')),
    known,
    lowerCaseWords,
  }
}

function factsOfTurn(turn: Turn, input: ExtractionInput, context: NameContext): RawFact[] {
  const isVerbose = input.mode === 'VERBOSE'
  const { language } = context
  const sentences = splitSentences(turn.text)
    .filter((sentence) => isVerbose || !isSmallTalk(sentence.text, language))
    .map((sentence) => ({
      ...sentence,
      period: findPeriod(sentence.text, input.anchor, language),
    }))
  const packs = isVerbose ? sentences.map((sentence) => [sentence]) : pack(sentences)
  return packs.map((sentencesOfFact) => factOfPack(sentencesOfFact, turn, context))
}

/** Neighbouring sentences of one paragraph; two different dates stay two facts, since a fact has one. */
function pack(sentences: readonly DatedSentence[]): DatedSentence[][] {
  const packs: DatedSentence[][] = []
  for (const sentence of sentences) {
    const last = packs.at(-1)
    if (last !== undefined && belongs(sentence, last)) last.push(sentence)
    else packs.push([sentence])
  }
  return packs
}

function belongs(sentence: DatedSentence, pack: readonly DatedSentence[]): boolean {
  const length = pack.reduce((sum, { text }) => sum + text.length + 1, 0)
  if (length + sentence.text.length > MAX_FACT_CHARS) return false
  // A heading or "Here is the plan:" says nothing without what follows it.
  const isLeadIn = pack.length === 1 && /^#|:\W*$/u.test(pack[0]?.text ?? '')
  if (sentence.opensParagraph && !isLeadIn) return false
  return pack.every(({ period }) => !differ(period, sentence.period))
}

function differ(a: Period | null, b: Period | null): boolean {
  if (a === null || b === null) return false
  return a.start.getTime() !== b.start.getTime() || a.end.getTime() !== b.end.getTime()
}

function factOfPack(
  sentences: readonly DatedSentence[],
  turn: Turn,
  context: NameContext,
): RawFact {
  const statement = sentences.reduce((joined, { text }) => joinSentences(joined, text), '')
  const text = turn.speaker === null ? statement : `${turn.speaker}: ${statement}`
  const names = sentences.flatMap((sentence) => findNames(sentence.text, context))
  const period = sentences.find((sentence) => sentence.period !== null)?.period ?? null
  return fact(text, typeOf(turn.speaker), period, withSpeaker(turn.speaker, names))
}

/** Scripts without blanks between words have none between sentences. */
function joinSentences(joined: string, next: string): string {
  return joined === '' || /[。！？」』）]$/u.test(joined) ? joined + next : `${joined} ${next}`
}

function verbatimFact(
  input: ExtractionInput,
  turns: readonly Turn[],
  context: NameContext,
): RawFact {
  const sentences = turns.flatMap((turn) => splitSentences(turn.text)).map(({ text }) => text)
  const names = sentences.flatMap((sentence) => findNames(sentence, context))
  const speakers = turns.map((turn) => turn.speaker ?? '').filter(isPerson)
  const isOwn = turns.length > 0 && turns.every((turn) => typeOf(turn.speaker) === 'EXPERIENCE')
  return fact(
    input.text,
    isOwn ? 'EXPERIENCE' : 'WORLD',
    firstPeriod(sentences, input.anchor, context.language),
    uniqueNames([...speakers, ...names]),
  )
}

function firstPeriod(
  sentences: readonly string[],
  anchor: Date | null,
  language: Language,
): Period | null {
  for (const sentence of sentences) {
    const period = findPeriod(sentence, anchor, language)
    if (period !== null) return period
  }
  return null
}

function typeOf(speaker: string | null): RawFact['factType'] {
  return speaker !== null && OWNER.test(speaker.trim()) ? 'EXPERIENCE' : 'WORLD'
}

function withSpeaker(speaker: string | null, names: readonly string[]): string[] {
  return uniqueNames(speaker !== null && isPerson(speaker) ? [speaker, ...names] : names)
}

function isPerson(speaker: string): boolean {
  const name = speaker.trim()
  return NAME_LIKE.test(name) && !OWNER.test(name) && !ROLE.test(name)
}

function fact(
  text: string,
  factType: RawFact['factType'],
  period: Period | null,
  entities: readonly string[],
): RawFact {
  return {
    text,
    factType,
    occurredStart: period?.start ?? null,
    occurredEnd: period?.end ?? null,
    entities,
    causedBy: [],
  }
}
