import { ModelError } from '../model-error.ts'
import type { Answered, Reasoner, TokenUsage } from '../ports.ts'
import { takeStep } from './agent-step.ts'
import { answerPieces, composeAnswer } from './answers.ts'
import { extractFacts } from './extraction.ts'

const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0 }

/**
 * The reasoner that needs no model: it works on the requests' `input` alone, quotes and never makes up, and gives the
 * same answer to the same request. Throws only the signal's reason, and ModelError `refused` for structured output.
 */
export function createBuiltInReasoner(): Reasoner {
  return {
    name: 'built-in',
    isLanguageModel: false,
    async extractFacts({ signal, input }) {
      signal.throwIfAborted()
      return answered(extractFacts(input))
    },
    async nextStep(request) {
      request.signal.throwIfAborted()
      return answered(takeStep(request))
    },
    async writeAnswer({ signal, input, onText }) {
      signal.throwIfAborted()
      const pieces = answerPieces(composeAnswer(input))
      for (const piece of pieces) onText?.(piece)
      return answered(pieces.join(''))
    },
    async extractBySchema({ signal }) {
      signal.throwIfAborted()
      throw new ModelError('refused', 'structured output needs a language model')
    },
  }
}

function answered<T>(value: T): Answered<T> {
  return { value, usage: NO_USAGE }
}
