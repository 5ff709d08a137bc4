import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  cleanTagFilter,
  matchesTags,
  type TagFilter,
  type TagGroup,
  type TagsMatch,
  tagFilterSql,
  validateTagFilter,
} from '../../src/lib/tag-filter.ts'

const MODES: readonly TagsMatch[] = ['ANY', 'ALL', 'ANY_STRICT', 'ALL_STRICT', 'EXACT']

const flat = (tags: readonly string[] | null, tagsMatch: TagsMatch): TagFilter => ({
  tags,
  tagsMatch,
  tagGroups: null,
})
const grouped = (...tagGroups: TagGroup[]): TagFilter => ({
  tags: null,
  tagsMatch: 'ANY',
  tagGroups,
})
const leaf = (match: TagsMatch, ...tags: string[]): TagGroup => ({
  leaf: { tags, match, resolve: 'EXACT' },
})
const fuzzy = (match: TagsMatch, ...tags: string[]): TagGroup => ({
  leaf: { tags, match, resolve: 'FUZZY' },
})

const tag = fc.constantFrom('a', 'b', 'c', 'A', 'it\'s "q"', 'x,y', '{}', '😀', 'NULL')
const tags = fc.array(tag, { maxLength: 4 })
const match = fc.constantFrom(...MODES)
const { group } = fc.letrec<{ group: TagGroup }>((tie) => ({
  group: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.record({
      leaf: fc.record({
        tags,
        match,
        resolve: fc.constantFrom<'EXACT' | 'FUZZY'>('EXACT', 'FUZZY'),
      }),
    }),
    fc.record({ and: fc.array(tie('group'), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('group'), { maxLength: 3 }) }),
    fc.record({ not: tie('group') }),
  ),
}))
const filter: fc.Arbitrary<TagFilter> = fc.record({
  tags: fc.option(tags),
  tagsMatch: match,
  tagGroups: fc.option(fc.array(group, { maxLength: 2 })),
})

describe('matchesTags', () => {
  const items = { none: [], a: ['a'], ab: ['a', 'b'], c: ['c'], upper: ['A'] }
  const passing = (f: TagFilter) =>
    Object.entries(items)
      .filter(([, item]) => matchesTags(item, f))
      .map(([name]) => name)

  it.each<[TagsMatch, string[], string[]]>([
    ['ANY', ['a', 'c'], ['none', 'a', 'ab', 'c']],
    ['ALL', ['a', 'b'], ['none', 'ab']],
    ['ANY_STRICT', ['a', 'c'], ['a', 'ab', 'c']],
    ['ALL_STRICT', ['a', 'b'], ['ab']],
    ['EXACT', ['b', 'a', 'a'], ['ab']],
    ['EXACT', [], ['none']],
    ['ANY', [], ['none', 'a', 'ab', 'c', 'upper']],
    ['ALL_STRICT', [], ['none', 'a', 'ab', 'c', 'upper']],
  ])('%s %j lets %j through', (mode, requested, expected) => {
    expect(passing(flat(requested, mode))).toEqual(expected)
  })

  it('takes null tags as no tags', () => {
    expect(passing(flat(null, 'ANY_STRICT'))).toHaveLength(5)
    expect(passing(flat(null, 'EXACT'))).toEqual(['none'])
  })

  it('negates a strict leaf as a whole: untagged items pass', () => {
    expect(passing(grouped({ not: leaf('ANY_STRICT', 'a') }))).toEqual(['none', 'c', 'upper'])
    expect(passing(grouped({ not: leaf('ANY', 'a') }))).toEqual(['c', 'upper'])
  })

  it('takes the top level as AND', () => {
    expect(passing(grouped(leaf('ANY_STRICT', 'a'), { not: leaf('ANY_STRICT', 'b') }))).toEqual([
      'a',
    ])
    expect(passing(grouped({ or: [leaf('EXACT', 'c'), leaf('ALL_STRICT', 'a', 'b')] }))).toEqual([
      'ab',
      'c',
    ])
    expect(passing(grouped())).toHaveLength(5)
  })

  it('narrows groups to untagged items under EXACT', () => {
    const groups = [{ not: leaf('ANY_STRICT', 'b') }]
    expect(passing({ tags: null, tagsMatch: 'EXACT', tagGroups: groups })).toEqual(['none'])
  })

  it('lets nothing through a fuzzy leaf that no tag resembled, not even untagged items', () => {
    for (const mode of MODES) expect(passing(grouped(fuzzy(mode)))).toEqual([])
    expect(passing(grouped(leaf('EXACT')))).toEqual(['none'])
  })

  it('follows the algebra', () => {
    fc.assert(
      fc.property(tags, group, group, (item, x, y) => {
        const is = (...groups: TagGroup[]) => matchesTags(item, grouped(...groups))
        expect(is({ not: { not: x } })).toBe(is(x))
        expect(is({ not: { and: [x, y] } })).toBe(is({ or: [{ not: x }, { not: y }] }))
        expect(is({ and: [x, y] })).toBe(is(x, y))
        expect(is({ or: [x, { not: x }] })).toBe(true)
      }),
    )
  })

  it('is narrower when strict, for any tags, and looks at sets only', () => {
    fc.assert(
      fc.property(tags, fc.array(tag, { minLength: 1, maxLength: 4 }), (item, requested) => {
        const is = (mode: TagsMatch) => matchesTags(item, flat(requested, mode))
        if (is('ANY_STRICT')) expect(is('ANY')).toBe(true)
        if (is('ALL_STRICT')) expect(is('ALL') && is('ANY_STRICT')).toBe(true)
        if (is('EXACT')) expect(is('ALL_STRICT')).toBe(true)
        expect(is('ANY')).toBe(is('ANY_STRICT') || item.length === 0)
        for (const mode of MODES) {
          const doubled = flat([...requested, ...requested].reverse(), mode)
          expect(matchesTags([...item, ...item], doubled)).toBe(is(mode))
          expect(
            matchesTags(
              item,
              grouped({ leaf: { tags: requested, match: mode, resolve: 'FUZZY' } }),
            ),
          ).toBe(is(mode))
        }
      }),
    )
  })
})

describe('tagFilterSql', () => {
  let db: PGlite

  beforeAll(async () => {
    db = await PGlite.create()
  })
  afterAll(async () => {
    await db.close()
  })

  it('is TRUE without parameters when nothing filters', () => {
    for (const f of [flat(null, 'ANY'), flat([], 'ALL_STRICT'), grouped()]) {
      expect(tagFilterSql(f, 'tags', 1)).toEqual({ sql: 'TRUE', params: [] })
    }
  })

  it('numbers its placeholders from the first one on', () => {
    const f = grouped(leaf('ANY_STRICT', 'a', 'a'), { not: leaf('EXACT', 'b') })
    expect(tagFilterSql(f, 'm."tags"', 4)).toEqual({
      sql: '((m."tags" && $4::text[]) AND (NOT (m."tags" @> $5::text[] AND m."tags" <@ $5::text[])))',
      params: [['a'], ['b']],
    })
  })

  it.each(['tags; drop table x', 'tags -- ', '', '"a" or true', "tags'"])(
    'refuses the column %j',
    (column) => {
      expect(() => tagFilterSql(flat(['a'], 'ANY'), column, 1)).toThrow(RangeError)
    },
  )

  it('says what matchesTags says, on a real engine', async () => {
    await fc.assert(
      fc.asyncProperty(filter, fc.array(tags, { minLength: 1, maxLength: 8 }), async (f, items) => {
        const { sql, params } = tagFilterSql(f, 'item.tags', 2)
        const source = 'jsonb_array_elements($1::jsonb) with ordinality as row (list, at)'
        const list = 'array(select jsonb_array_elements_text(row.list)) as tags'
        const { rows } = await db.query<{ ok: boolean }>(
          `select ${sql} as ok from (select at, ${list} from ${source}) as item order by at`,
          [JSON.stringify(items), ...params],
        )
        expect(rows.map((row) => row.ok)).toEqual(items.map((item) => matchesTags(item, f)))
      }),
      { numRuns: 300 },
    )
  })
})

describe('validateTagFilter', () => {
  const problems = (f: TagFilter) =>
    validateTagFilter(f).map(({ path, code }) => `${path.join('.')} ${code}`)
  const nested = (levels: number): TagGroup =>
    levels === 1 ? leaf('ANY', 'a') : { not: nested(levels - 1) }
  const many = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`)

  it('accepts what is allowed, up to every limit', () => {
    expect(problems(flat(null, 'ANY'))).toEqual([])
    expect(problems(flat([], 'EXACT'))).toEqual([])
    expect(problems(flat(many(100), 'ALL'))).toEqual([])
    expect(problems(flat(['😀'.repeat(256)], 'ALL'))).toEqual([])
    expect(problems(grouped(leaf('EXACT')))).toEqual([])
    expect(problems(grouped(nested(8)))).toEqual([])
    expect(problems(grouped({ or: many(64).map((name) => leaf('ANY_STRICT', name)) }))).toEqual([])
    expect(problems({ tags: [], tagsMatch: 'EXACT', tagGroups: [leaf('ANY', 'a')] })).toEqual([])
  })

  it('refuses tags beside groups', () => {
    expect(problems({ tags: ['a'], tagsMatch: 'ANY', tagGroups: [leaf('ANY', 'a')] })).toEqual([
      'tagGroups EXCLUSIVE',
    ])
  })

  it('refuses what is empty, with its path', () => {
    expect(problems(grouped({ and: [] }, { not: { or: [] } }))).toEqual([
      'tagGroups.0.and EMPTY',
      'tagGroups.1.not.or EMPTY',
    ])
    for (const mode of MODES.filter((each) => each !== 'EXACT')) {
      expect(problems(grouped({ and: [leaf(mode)] }))).toEqual([
        'tagGroups.0.and.0.leaf.tags EMPTY',
      ])
    }
    expect(problems(grouped(fuzzy('EXACT')))).toEqual(['tagGroups.0.leaf.tags EMPTY'])
  })

  it('refuses what is too deep, too many and too long', () => {
    expect(problems(grouped(nested(9)))).toEqual([`tagGroups.0${'.not'.repeat(8)} OUT_OF_RANGE`])
    expect(problems(grouped({ or: many(65).map((name) => leaf('ANY', name)) }))).toEqual([
      'tagGroups OUT_OF_RANGE',
    ])
    expect(problems(flat(many(101), 'ANY'))).toEqual(['tags OUT_OF_RANGE'])
    expect(problems(grouped(leaf('ANY', ...many(60)), leaf('ANY', ...many(41))))).toEqual([
      'tagGroups.1.leaf.tags OUT_OF_RANGE',
    ])
    expect(problems(flat(['ok', '', 'x'.repeat(257)], 'ANY'))).toEqual([
      'tags.1 OUT_OF_RANGE',
      'tags.2 OUT_OF_RANGE',
    ])
  })
})

describe('cleanTagFilter', () => {
  it('brings every tag into the stored form, and changes nothing else', () => {
    const raw = {
      ...grouped({ and: [{ not: leaf('ALL', 'Zoe\u0308') }, { or: [fuzzy('ANY', 'x\u0000')] }] }),
      tags: ['\ud83da'],
    }
    expect(cleanTagFilter(raw)).toEqual({
      ...grouped({ and: [{ not: leaf('ALL', 'Zo\u00eb') }, { or: [fuzzy('ANY', 'x')] }] }),
      tags: ['a'],
    })
    expect(cleanTagFilter(flat(null, 'EXACT'))).toEqual(flat(null, 'EXACT'))
  })
})
