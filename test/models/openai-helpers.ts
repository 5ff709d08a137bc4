import { expect } from 'vitest'
import { ModelError, type ModelErrorKind } from '../../src/platform/models/model-error.ts'
import {
  createOpenAiReasoner,
  type OpenAiReasonerOptions,
} from '../../src/platform/models/openai/reasoner.ts'
import type {
  AgentStepRequest,
  ExtractionInput,
  ExtractionRequest,
} from '../../src/platform/models/ports.ts'
import type { RetryTools } from '../../src/platform/models/retry.ts'

export const KEY = 'sk-secret-0123456789'
export const NOW = Date.parse('2024-05-15T12:00:00Z')
export const never = new AbortController().signal

/** Waits take no time and are listed. */
export function fakeTools(): RetryTools & { readonly waits: number[] } {
  const waits: number[] = []
  return {
    waits,
    sleep: async (ms, signal) => {
      signal.throwIfAborted()
      waits.push(ms)
    },
    random: () => 0.5,
    now: () => NOW,
  }
}

export function testReasoner(url: string, options: Partial<OpenAiReasonerOptions> = {}) {
  const tools = fakeTools()
  const reasoner = createOpenAiReasoner(
    {
      baseUrl: url,
      apiKey: KEY,
      model: 'test-model',
      timeoutMs: 5_000,
      concurrency: 4,
      jsonSchema: 'auto',
      ...options,
    },
    tools,
  )
  return { reasoner, waits: tools.waits }
}

export function extraction(
  input: Partial<ExtractionInput> = {},
  signal: AbortSignal = never,
): ExtractionRequest {
  return {
    prompt: { system: 'Extract the facts.', user: 'TEXT: Ada moved to Oslo.' },
    input: {
      text: 'Ada moved to Oslo.',
      speaker: null,
      anchor: new Date('2024-05-15T18:30:00Z'),
      context: null,
      mode: 'CONCISE',
      ...input,
    },
    signal,
  }
}

export function step(changes: Partial<AgentStepRequest> = {}): AgentStepRequest {
  return {
    messages: [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'Where does Ada live?' },
    ],
    tools: ['recall', 'done'].map((name) => ({
      name,
      description: `does ${name}`,
      parameters: { type: 'object', properties: { query: { type: 'string' } } },
    })),
    toolChoice: 'auto',
    input: { query: 'Where does Ada live?', evidence: [], maxTokens: 500 },
    maxOutputTokens: null,
    signal: never,
    ...changes,
  }
}

export function factsReply(...facts: readonly unknown[]) {
  return { content: JSON.stringify({ facts }) }
}

/** The ModelError that a promise is rejected with; fails the test on anything else. */
export async function modelErrorOf(
  promise: Promise<unknown>,
  kind: ModelErrorKind,
): Promise<ModelError> {
  const error = await promise.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof ModelError)) throw error
  expect(error.kind, error.message).toBe(kind)
  expect(error.message).not.toContain(KEY)
  return error
}
