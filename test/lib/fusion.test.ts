import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuse, type RankedArm } from '../../src/lib/fusion.ts'

/** An arm that ranks the ids as given. */
const arm = (name: string, ids: readonly string[], weight = 1): RankedArm => ({
  name,
  weight,
  ranked: ids.map((id, at) => ({ id, score: -at })),
})

describe('fuse', () => {
  it('sums weight / (60 + rank)', () => {
    const [first, second, third] = fuse([
      arm('semantic', ['a', 'b']),
      arm('keyword', ['b', 'c'], 2),
    ])
    expect(first).toEqual({ id: 'b', score: 1 / 62 + 2 / 61, ranks: { semantic: 2, keyword: 1 } })
    expect(second).toEqual({ id: 'c', score: 2 / 62, ranks: { keyword: 2 } })
    expect(third).toEqual({ id: 'a', score: 1 / 61, ranks: { semantic: 1 } })
  })

  it('ranks by score and not by position', () => {
    const ranked = [
      { id: 'low', score: 0.1 },
      { id: 'none', score: Number.NaN },
      { id: 'high', score: 0.9 },
      { id: 'top', score: Number.POSITIVE_INFINITY },
    ]
    expect(fuse([{ name: 'graph', weight: 1, ranked }]).map((item) => item.id)).toEqual([
      'top',
      'high',
      'low',
      'none',
    ])
  })

  it('counts an id once an arm, at its better place', () => {
    const [first] = fuse([arm('keyword', ['a', 'b', 'a'])])
    expect(first).toEqual({ id: 'a', score: 1 / 61, ranks: { keyword: 1 } })
    expect(fuse([arm('keyword', ['a', 'a', 'b'])])[1]?.ranks).toEqual({ keyword: 2 })
  })

  it('settles ties by the earlier arm, then by id', () => {
    expect(fuse([arm('semantic', ['x']), arm('keyword', ['a'])]).map((item) => item.id)).toEqual([
      'x',
      'a',
    ])
    expect(fuse([arm('semantic', ['b', 'a'], 0)]).map((item) => item.id)).toEqual(['b', 'a'])
  })

  it('takes another k, and nothing', () => {
    expect(fuse([arm('semantic', ['a'])], 0)[0]?.score).toBe(1)
    expect(fuse([])).toEqual([])
    expect(fuse([arm('semantic', [])])).toEqual([])
  })

  it('lists every id once, by falling score, in an order the arms alone decide', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 })
    const weight = fc.constantFrom(0, 0.5, 1, 3)
    fc.assert(
      fc.property(fc.array(fc.tuple(ids, weight), { maxLength: 4 }), (lists) => {
        const arms = lists.map(([list, share], at) => arm(`arm ${at}`, list, share))
        const fused = fuse(arms)
        expect(fused.map((item) => item.id).sort()).toEqual(
          [...new Set(lists.flatMap(([list]) => list))].sort(),
        )
        fused.slice(1).forEach((item, at) => {
          expect(item.score).toBeLessThanOrEqual(fused[at]?.score ?? Number.NaN)
        })
        // The order of rows inside an arm carries nothing when scores differ.
        const shuffled = arms.map((each) => ({ ...each, ranked: [...each.ranked].reverse() }))
        expect(fuse(shuffled)).toEqual(fused)
      }),
    )
  })

  it('never ranks an item lower for a better place', () => {
    const before = fuse([arm('semantic', ['a', 'b', 'c']), arm('keyword', ['c', 'a'])])
    const after = fuse([arm('semantic', ['c', 'a', 'b']), arm('keyword', ['c', 'a'])])
    const place = (list: typeof before) => list.findIndex((item) => item.id === 'c')
    expect(place(before)).toBe(1)
    expect(place(after)).toBe(0)
  })
})
