/** One build stage: its instructions in order, continued lines joined. */
export interface Stage {
  readonly name: string | null
  readonly image: string
  readonly instructions: readonly Instruction[]
}

export interface Instruction {
  readonly keyword: string
  readonly rest: string
}

export interface Copy {
  /** The stage copied from; null for the build context. */
  readonly from: string | null
  readonly sources: readonly string[]
  readonly target: string
}

/** Reads a Dockerfile's stages. Throws on an instruction before the first FROM. */
export function parseDockerfile(text: string): Stage[] {
  const stages: (Stage & { instructions: Instruction[] })[] = []
  const lines = text.replace(/\\\n/g, ' ').split('\n')
  for (const line of lines.filter((l) => !/^\s*(#.*)?$/.test(l))) {
    const [, keyword = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (keyword === 'FROM') {
      const [, image = '', name = null] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
      stages.push({ name, image, instructions: [] })
    } else {
      const stage = stages.at(-1)
      if (!stage || !keyword) throw new Error(`Not understood: ${line}`)
      stage.instructions.push({ keyword, rest })
    }
  }
  return stages
}

/** What follows a keyword in a stage, each time it is given. */
export function all(stage: Stage, keyword: string): string[] {
  return stage.instructions.filter((i) => i.keyword === keyword).map(({ rest }) => rest)
}

export function copies(stage: Stage): Copy[] {
  return all(stage, 'COPY').map((rest) => {
    const words = rest.split(/\s+/)
    const from = words[0]?.startsWith('--from=')
      ? (words.shift() ?? '').slice('--from='.length)
      : null
    return { from, sources: words.slice(0, -1), target: words.at(-1) ?? '' }
  })
}

/** The words of an exec-form command: `["node", "x.js"]`, after options such as --interval=10s and CMD. */
export function execForm(rest: string): string[] {
  return JSON.parse(rest.slice(rest.indexOf('['))) as string[]
}
