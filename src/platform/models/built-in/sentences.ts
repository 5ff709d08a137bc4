/** A sentence longer than this is cut at a clause, so that one fact stays one thing to find. */
const MAX_SENTENCE_CHARS = 600
/** A line this long that ends without punctuation goes on in the next one: hard-wrapped mail. */
const WRAPPED_LINE_CHARS = 50
/** What stands before a full stop that does not end a sentence, lower case, without that stop. */
const ABBREVIATIONS = new Set(
  `dr mr mrs ms prof rev hon st sr jr gen col capt lt sgt vs etc no vol fig approx dept est inc ltd co corp e.g i.e a.m p.m
  u.s u.k cf al ed pp ca bzw z.b d.h u.a o.ä usw nr str hr fr frau abs evtl ggf inkl tel mme mlle m sra dña ud uds sig
  dott avv ing г ул т.е т.д др jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat
  sun`.split(/\s+/),
)
const LAST_WORD_WITH_STOP = /(?:^|[\s("'“„])((?:\p{L}\.)*[\p{L}\p{M}]+)\.\s*$/u
/** `3. Mai`, `1. Buy milk`: a number with a stop is an ordinal or a list mark. */
const ORDINAL_END = /(?:^|\s)\d{1,2}\.\s*$/
const ENDS_OPEN = /[^.!?…:;。！？)\]"”»]$/u
const LIST_LINE = /^\s*(?:[-*•+>#|]|\d{1,3}[.)]\s)/
const CLAUSE_END = /[;,，；、。]\s?|\s/gu

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/**
 * The sentences of a text, trimmed, inner line breaks and runs of blanks made one blank, otherwise verbatim. Lines end
 * sentences, except in hard-wrapped paragraphs. Blank pieces are left out.
 */
export function splitSentences(text: string): string[] {
  return joinWrappedLines(text)
    .flatMap(splitLine)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '')
    .flatMap(cutLong)
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
  const lastLine = before.length >= WRAPPED_LINE_CHARS
  return lastLine && ENDS_OPEN.test(before) && !/^\s*#/.test(before)
}

function splitLine(line: string): string[] {
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(line)) {
    const previous = sentences.at(-1)
    if (previous !== undefined && isUnfinished(previous)) {
      sentences[sentences.length - 1] = previous + segment
    } else {
      sentences.push(segment)
    }
  }
  return sentences
}

function isUnfinished(piece: string): boolean {
  const word = LAST_WORD_WITH_STOP.exec(piece)?.[1]
  if (word === undefined) return ORDINAL_END.test(piece)
  // A single capital is an initial (J. Smith), but "I." and "Plan B." end sentences as a rule.
  const isInitial = /^\p{Lu}$/u.test(word) && word !== 'I' && /(?:^|\s|\.)\p{Lu}\.\s*$/u.test(piece)
  return (isInitial && !/\b(?:plan|vitamin|option|part|grade) \p{Lu}\.\s*$/iu.test(piece)) ||
    ABBREVIATIONS.has(word.toLowerCase()) ? !isAmbiguousEnd(word) : false
}

/** Words that are abbreviations and common words at once: only taken as abbreviations when capitalised as such. */
function isAmbiguousEnd(word: string): boolean {
  return ['no', 'fig', 'sat', 'sun', 'mar', 'co', 'al', 'ed', 'ing', 'fr', 'st', 'm', 'str'].includes(word)
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
