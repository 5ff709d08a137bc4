/**
 * Takes leaked thinking (`<think>…</think>` and its cousins) out of a model's text. A tag inside a code fence or right
 * behind a backtick is text about tags and stays; so does an opening tag in the middle of a text that never closes. An
 * unclosed block at the very start is thinking that was cut off, and goes.
 */

const FENCE = '```'
const OPENERS = ['<think>', '<thinking>', '<reasoning>']
const MARKS = [FENCE, ...OPENERS]
const OPENER = new RegExp(OPENERS.join('|'), 'i')
const MARK = new RegExp(MARKS.join('|'), 'gi')
const CLOSER = new RegExp(OPENERS.map((tag) => `</${tag.slice(1)}`).join('|'), 'i')
const LONGEST_MARK = Math.max(...MARKS.map((mark) => mark.length))

/**
 * The text without thinking. What stands before a closing tag that nothing opened is thinking as well: some servers put
 * the opening tag into the prompt.
 */
export function stripThinking(text: string): string {
  const closer = CLOSER.exec(text)
  const openedAt = OPENER.exec(text)?.index ?? text.length
  const isLone = closer !== null && closer.index < openedAt
  const isThinking = isLone && !text.slice(0, closer.index).includes('`')
  const filter = createThinkFilter()
  return filter.push(isThinking ? text.slice(closer.index + closer[0].length) : text) + filter.end()
}

export interface ThinkFilter {
  /** Takes the next piece and gives what is now known to be visible. */
  push(delta: string): string
  /** Gives what is still held back. */
  end(): string
}

/**
 * The same for a text that comes in pieces: what may be thinking is held back until it is known. The pieces joined do
 * not depend on where the text was cut. A closing tag that nothing opened stays, since what stood before it has been
 * given out already. White space at the start goes.
 */
export function createThinkFilter(): ThinkFilter {
  let held = ''
  /** Opening tag of the block that `held` continues; null outside of one. */
  let opener: string | null = null
  let openedAtStart = false
  /** What of the block no closing tag can begin in: searching it again with each piece would cost quadratic time. */
  let thought = ''
  let inFence = false
  let lastChar = ''

  function emit(length: number): string {
    const text = held.slice(0, length)
    held = held.slice(length)
    const visible = lastChar === '' ? text.trimStart() : text
    lastChar = visible.slice(-1) || lastChar
    return visible
  }

  /** False: the end of the block is not there yet. */
  function skipBlock(tag: string): boolean {
    const closer = new RegExp(`</${tag.slice(1)}`, 'i').exec(held)
    if (closer === null) {
      const searched = Math.max(0, held.length - tag.length)
      if (!openedAtStart) thought += held.slice(0, searched)
      held = held.slice(searched)
      return false
    }
    held = held.slice(closer.index + closer[0].length)
    thought = ''
    opener = null
    return true
  }

  function takeMark(mark: string, index: number): string {
    const isFence = mark === FENCE
    const previous = index > 0 ? held[index - 1] : lastChar
    if (isFence || inFence || previous === '`') {
      if (isFence) inFence = !inFence
      return emit(index + mark.length)
    }
    const out = emit(index)
    held = held.slice(mark.length)
    opener = mark
    openedAtStart = lastChar === ''
    return out
  }

  function drain(isEnd: boolean): string {
    let out = ''
    for (;;) {
      if (opener !== null) {
        if (!skipBlock(opener)) return out
      } else {
        MARK.lastIndex = 0
        const match = MARK.exec(held)
        if (match === null) return out + emit(held.length - (isEnd ? 0 : partialMark(held)))
        out += takeMark(match[0], match.index)
      }
    }
  }

  return {
    push(delta) {
      held += delta
      return drain(false)
    },
    end() {
      const out = drain(true)
      if (opener === null || openedAtStart) return out
      held = opener + thought + held
      return out + emit(held.length)
    },
  }
}

/** Length of the longest end of `text` that a mark could begin with. */
function partialMark(text: string): number {
  const end = text.slice(1 - LONGEST_MARK).toLowerCase()
  for (let at = 0; at < end.length; at++) {
    const piece = end.slice(at)
    if (MARKS.some((mark) => mark.length > piece.length && mark.startsWith(piece))) {
      return piece.length
    }
  }
  return 0
}
