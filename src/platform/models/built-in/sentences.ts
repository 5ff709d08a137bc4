/** A sentence longer than this is cut at a clause, so that one fact stays one thing to find. */
const MAX_SENTENCE_CHARS = 600
/** A line this long that ends without punctuation goes on in the next one: hard-wrapped mail. */
const WRAPPED_LINE_CHARS = 50
/** What stands before a full stop that does not end a sentence, lower case, without that stop. */
const ABBREVIATIONS = new Set(
  `dr mr mrs ms prof rev hon sr jr gen col capt lt sgt vs vol approx dept est inc ltd corp e.g i.e u.s u.k cf pp ca bzw
  z.b d.h u.a nr hr frau abs evtl ggf inkl mme mlle sra dña ud uds sig dott avv г ул т.е jan feb apr jun jul aug sep sept
  oct nov dec tue tues wed thu thur thurs fri`.split(/\s+/),
)
/** Abbreviations that are words too: only with this capital, and `No.` and `Fig.` only before a number. */
const CAPITALISED_ABBREVIATION = /(?:^|\s)(?:St|Mt|Ft|Fr|Co)\.\s*$/
const NUMBERING = /(?:^|[\s(])(?:No|Fig|Art|Sec|Ch|Bd|S|p)\.\s*$/
const LAST_WORD_WITH_STOP = /(?:^|[\s("'“„])((?:\p{L}\.)*[\p{L}\p{M}]+)\.\s*$/u
const PLAN_B = /\b(?:plan|vitamin|option|part|grade|team|type) \p{Lu}\.\s*$/iu
/** `3. Mai`, `1. Buy milk`: a number with a stop is an ordinal or a list mark. */
const ORDINAL_END = /(?:^|\s)\d{1,2}\.\s*$/
const ENDS_OPEN = /[^.!?…:;。！？)\]"”»]$/u
const LIST_LINE = /^\s*(?:[-*•+>#|]|\d{1,3}[.)]\s)/
const HEADING_LINE = /^\s*#{1,6}\s/
const CLAUSE_END = /[;,，；、。]\s?|\s/gu

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

export interface Sentence {
  /** Trimmed, inner line breaks and runs of blanks made one blank, otherwise verbatim. */
  readonly text: string
  /** First of a paragraph or section: what stood before is another subject. */
  readonly opensParagraph: boolean
}

/** The sentences of a text. Lines end sentences, except in hard-wrapped paragraphs. Blank pieces are left out. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let opensParagraph = true
  for (const line of joinWrappedLines(text)) {
    if (line.trim() === '' || HEADING_LINE.test(line)) opensParagraph = true
    for (const piece of splitLine(line)) {
      const clean = piece.replace(/\s+/g, ' ').trim()
      if (clean === '') continue
      for (const part of cutLong(clean)) {
        sentences.push({ text: part, opensParagraph })
        opensParagraph = false
      }
    }
  }
  return sentences
}

function joinWrappedLines(text: string): string[] {
  const lines: string[] = []
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const previous = lines.at(-1)
    if (previous !== undefined && continues(previous, line)) {
      lines[lines.length - 1] = `${previous.trimEnd()} ${line.trimStart()}`
    } else {
      lines.push(line)
    }
  }
  return lines
}

function continues(previous: string, line: string): boolean {
  const before = previous.trimEnd()
  if (before === '' || line.trim() === '' || LIST_LINE.test(line)) return false
  const isLong = before.length >= WRAPPED_LINE_CHARS
  return isLong && ENDS_OPEN.test(before) && !/^\s*#/.test(before)
}

function splitLine(line: string): string[] {
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(line)) {
    const previous = sentences.at(-1)
    if (previous !== undefined && isUnfinished(previous, segment)) {
      sentences[sentences.length - 1] = previous + segment
    } else {
      sentences.push(segment)
    }
  }
  return sentences
}

function isUnfinished(piece: string, next: string): boolean {
  // A sentence ends before a blank, except in scripts without blanks: `example.com/a?b=1` is one.
  if (/[^\s。！？…]$/u.test(piece)) return true
  if (ORDINAL_END.test(piece) || CAPITALISED_ABBREVIATION.test(piece)) return true
  if (NUMBERING.test(piece)) return /^\d/.test(next)
  const word = LAST_WORD_WITH_STOP.exec(piece)?.[1]
  if (word === undefined) return false
  return ABBREVIATIONS.has(word.toLowerCase()) || isInitial(piece)
}

/** `J. Smith`: one capital after a name, a title or nothing. "Plan B. Then ..." and "than I. But ..." are ends. */
function isInitial(piece: string): boolean {
  return (
    /(?:^|\p{Lu}[\p{L}.]+\s|\p{Lu}\.\s?)(?!I\.)\p{Lu}\.\s*$/u.test(piece) && !PLAN_B.test(piece)
  )
}

function cutLong(sentence: string): string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > MAX_SENTENCE_CHARS) {
    const at = lastClauseEnd(rest.slice(0, MAX_SENTENCE_CHARS))
    pieces.push(rest.slice(0, at).trim())
    rest = rest.slice(at).trim()
  }
  return rest === '' ? pieces : [...pieces, rest]
}

/** Where to cut: after the last clause in the second half, else the last blank, else between two characters. */
function lastClauseEnd(head: string): number {
  let clause = 0
  let blank = 0
  for (const match of head.matchAll(CLAUSE_END)) {
    const end = match.index + match[0].length
    if (/^\s$/.test(match[0])) blank = end
    else clause = end
  }
  if (clause > head.length / 2) return clause
  if (blank > 0) return blank
  const last = head.charCodeAt(head.length - 1)
  return last >= 0xd800 && last < 0xdc00 ? head.length - 1 : head.length
}
