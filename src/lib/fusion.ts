/** How much the first ranks stand out: the constant of Cormack, Clarke and Büttcher (SIGIR 2009). */
const DEFAULT_K = 60

export interface RankedItem {
  readonly id: string
  readonly score: number
}

export interface RankedArm {
  readonly name: string
  /** Factor of this arm's share; 1 is plain reciprocal rank fusion, 0 takes part in nothing but the ranks shown. */
  readonly weight: number
  /** In any order: the rank is by score, the highest first. Of an id that occurs twice the better place counts. */
  readonly ranked: readonly RankedItem[]
}

export interface FusedItem {
  readonly id: string
  /** The sum over the arms of weight / (k + rank), ranks from 1. */
  readonly score: number
  /** Rank by arm name, for the arms that found the item. */
  readonly ranks: Readonly<Record<string, number>>
}

/**
 * Reciprocal rank fusion, the best first. Order is settled for any input: equal scores inside an arm stay in the order
 * given (a score that is no number comes last); equal sums go to the better rank in the earlier arm, then to the
 * smaller id.
 */
export function fuse(arms: readonly RankedArm[], k: number = DEFAULT_K): FusedItem[] {
  const found = new Map<string, { id: string; score: number; ranks: Record<string, number> }>()
  for (const { name, weight, ranked } of arms) {
    rankedIds(ranked).forEach((id, at) => {
      const rank = at + 1
      const item = found.get(id) ?? { id, score: 0, ranks: {} }
      item.score += weight / (k + rank)
      item.ranks[name] = rank
      found.set(id, item)
    })
  }
  const names = arms.map((arm) => arm.name)
  return [...found.values()].sort((a, b) => b.score - a.score || compareRanks(a, b, names))
}

function rankedIds(ranked: readonly RankedItem[]): string[] {
  const value = ({ score }: RankedItem) => (Number.isNaN(score) ? Number.NEGATIVE_INFINITY : score)
  // Compared, not subtracted: infinities would give no number. The sort is stable.
  const sorted = [...ranked].sort(
    (a, b) => Number(value(b) > value(a)) - Number(value(b) < value(a)),
  )
  return [...new Set(sorted.map(({ id }) => id))]
}

function compareRanks(a: FusedItem, b: FusedItem, names: readonly string[]): number {
  for (const name of names) {
    const first = a.ranks[name] ?? Number.MAX_SAFE_INTEGER
    const second = b.ranks[name] ?? Number.MAX_SAFE_INTEGER
    if (first !== second) return first - second
  }
  return a.id < b.id ? -1 : 1
}
