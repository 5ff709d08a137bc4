const DAY_MS = 86_400_000

/** Words for a day, and how many days it lies from the one they were said on (memory-engine reference 3.5). */
const RELATIVE_DAYS: readonly (readonly [RegExp, number])[] = [
  [/\b(last night|yesterday)\b/i, -1],
  [/\b(today|this morning|this afternoon|this evening|tonight)\b/i, 0],
  [/\btomorrow\b/i, 1],
  [/\blast week\b/i, -7],
  [/\bthis week\b/i, 0],
  [/\bnext week\b/i, 7],
  [/\blast month\b/i, -30],
  [/\bthis month\b/i, 0],
  [/\bnext month\b/i, 30],
]

/** Midnight (UTC) of the day that relative words in `text` name, seen from `anchor`; null without either. */
export function relativeStart(text: string, anchor: Date | null): Date | null {
  if (anchor === null) return null
  const match = RELATIVE_DAYS.find(([words]) => words.test(text))
  if (match === undefined) return null
  const midnight = Math.floor(anchor.getTime() / DAY_MS) * DAY_MS
  return new Date(midnight + match[1] * DAY_MS)
}
