import OpenAI from 'openai'
import { createBoundedFetch } from '../http-fetch.ts'

/**
 * The openai package, set up to do nothing by itself: no retries, no logging, none of the vendor's environment
 * variables. `apiKey` null sends no Authorization header.
 */
export function createOpenAiClient(options: {
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly maxResponseBytes: number
}): OpenAI {
  return new OpenAI({
    baseURL: options.baseUrl.replace(/\/+$/, ''),
    apiKey: options.apiKey ?? 'none', // The constructor insists on one.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1, // It would cover the headers alone; deadline.ts covers the whole answer.
    logLevel: 'off',
    fetch: createBoundedFetch(options.maxResponseBytes),
    ...(options.apiKey === null ? { defaultHeaders: { Authorization: null } } : {}),
  })
}
