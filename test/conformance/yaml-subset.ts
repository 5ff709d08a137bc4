/** What the reader below makes of a YAML text. */
export type Yaml = string | Yaml[] | { [key: string]: Yaml }

/**
 * Reads the part of YAML that docker-compose.yml keeps to: maps and lists by indentation, plain and double-quoted
 * scalars, lists of strings in JSON form, `{}`, comments on lines of their own. Throws on anything else. All scalars
 * come back as strings.
 */
export function parseYaml(text: string): Yaml {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#.*)?$/.test(line))
    .map((line) => ({ indent: line.search(/\S/), text: line.trim() }))
  const reader = new Reader(lines)
  const value = reader.block(0)
  reader.expectEnd()
  return value
}

interface Line {
  readonly indent: number
  readonly text: string
}

class Reader {
  readonly #lines: Line[]

  constructor(lines: readonly Line[]) {
    this.#lines = [...lines]
  }

  /** A map or a list whose lines stand at exactly this indentation. */
  block(indent: number): Yaml {
    return this.#lines[0]?.text.startsWith('- ') ? this.#list(indent) : this.#map(indent)
  }

  expectEnd(): void {
    const [line] = this.#lines
    if (line) throw new Error(`Not understood: ${line.text}`)
  }

  #list(indent: number): Yaml[] {
    const items: Yaml[] = []
    for (let line = this.#at(indent); line; line = this.#at(indent)) {
      if (!line.text.startsWith('- ')) throw new Error(`Not a list item: ${line.text}`)
      const rest = line.text.slice(2)
      if (isEntry(rest)) {
        // `- key: value` opens a map whose keys stand where the first one does.
        this.#lines[0] = { indent: indent + 2, text: rest }
        items.push(this.#map(indent + 2))
      } else {
        this.#lines.shift()
        items.push(scalar(rest))
      }
    }
    return items
  }

  #map(indent: number): Yaml {
    const map: { [key: string]: Yaml } = {}
    for (let line = this.#at(indent); line; line = this.#at(indent)) {
      const [, key, rest] = /^([\w-]+):(?: (.*))?$/.exec(line.text) ?? []
      if (key === undefined || key in map) throw new Error(`Not understood: ${line.text}`)
      this.#lines.shift()
      map[key] = rest === undefined ? this.#nested(indent) : scalar(rest)
    }
    return map
  }

  #nested(indent: number): Yaml {
    const [next] = this.#lines
    if (!next || next.indent <= indent) throw new Error('A key without a value')
    return this.block(next.indent)
  }

  #at(indent: number): Line | null {
    const [line] = this.#lines
    return line?.indent === indent ? line : null
  }
}

function isEntry(text: string): boolean {
  return /^[\w-]+:( |$)/.test(text)
}

function scalar(text: string): Yaml {
  if (text === '{}') return {}
  if (/^["[]/.test(text)) return JSON.parse(text) as Yaml
  if (/^['{&*!|>%@`]|: | #/.test(text)) throw new Error(`Not understood: ${text}`)
  return text
}
