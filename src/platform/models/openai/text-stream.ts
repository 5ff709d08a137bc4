import { cleanText } from '../../../lib/text.ts'

export interface TextStream {
  push(delta: string): void
  end(): void
}

/** Cleans a text that comes in pieces, without taking an emoji apart that lies across two of them. */
export function createTextStream(onText: (delta: string) => void): TextStream {
  let held = ''

  function pass(text: string): void {
    const clean = cleanText(text)
    if (clean !== '') onText(clean)
  }

  return {
    push(delta) {
      const text = held + delta
      const cut = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length
      held = text.slice(cut)
      pass(text.slice(0, cut))
    },
    end() {
      pass(held)
      held = ''
    },
  }
}
