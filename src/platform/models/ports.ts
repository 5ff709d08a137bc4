/**
 * The three ports to models. Each has an implementation for real models and one that needs nothing.
 *
 * A request to the Reasoner carries the same task twice: as `input`, plain data that the built-in reasoner works on,
 * and as `prompt`, rendered by the feature that asks, which is all that a language model sees. The loop around the
 * calls, budgets, citation checks and traces stay in the features and are the same for both.
 */

export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Stable instructions first, so that providers can cache them; `user` holds the data, delimiters escaped. */
export interface Prompt {
  readonly system: string
  readonly user: string
}

/** What every call takes: `signal` ends it early and reaches the provider's request. */
export interface CallOptions {
  readonly signal: AbortSignal
}

export interface Answered<T> {
  readonly value: T
  readonly usage: TokenUsage
}

// ---------------------------------------------------------------- extraction

/** One chunk to read. */
export interface ExtractionInput {
  readonly text: string
  /** Speaker of the turn that the chunk begins in the middle of, when it does. */
  readonly speaker: string | null
  /** Instant that relative dates refer to; null: none was given and none may be invented. */
  readonly anchor: Date | null
  readonly context: string | null
  readonly mode: 'CONCISE' | 'VERBOSE' | 'CUSTOM' | 'VERBATIM' | 'CHUNKS'
}

export interface RawFact {
  /** The statement, complete without its surroundings: who, what, when where known. */
  readonly text: string
  /** EXPERIENCE: what the owner of the memory (the assistant) did or said itself. */
  readonly factType: 'WORLD' | 'EXPERIENCE'
  readonly occurredStart: Date | null
  readonly occurredEnd: Date | null
  readonly entities: readonly string[]
  /** Indexes of earlier facts of the same answer that caused this one. */
  readonly causedBy: readonly number[]
}

export interface ExtractionRequest extends CallOptions {
  readonly prompt: Prompt
  readonly input: ExtractionInput
}

// ---------------------------------------------------------------- the agent's next step

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** As the model wrote them: may be no valid JSON. The feature parses, and tells the model what is wrong. */
  readonly arguments: string
}

export type AgentMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string | null
      readonly toolCalls: readonly ToolCall[]
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string }

/** One piece of evidence that a tool returned, in the order shown to the model. */
export interface Evidence {
  /** The alias shown to the model: `f1` a fact, `o1` an observation, `m1` a mental model. */
  readonly alias: string
  readonly kind: 'memory' | 'observation' | 'mentalModel'
  readonly text: string
  /** Absolute relevance to the query it was found by, 0..1. */
  readonly relevance: number
  readonly occurredStart: Date | null
  readonly mentionedAt: Date | null
}

export interface AgentStepRequest extends CallOptions {
  readonly messages: readonly AgentMessage[]
  readonly tools: readonly ToolDefinition[]
  /** A tool's name forces that tool; 'auto' leaves the choice to the model. */
  readonly toolChoice: 'auto' | { readonly name: string }
  /** Plain data for the built-in reasoner. */
  readonly input: {
    readonly query: string
    readonly evidence: readonly Evidence[]
    readonly maxTokens: number
  }
  /** Hard cap of the provider's output; null: none. */
  readonly maxOutputTokens: number | null
}

export interface AgentStep {
  /** Text beside or instead of tool calls; null when there is none. */
  readonly text: string | null
  readonly toolCalls: readonly ToolCall[]
}

// ---------------------------------------------------------------- the final answer

export interface AnswerRequest extends CallOptions {
  readonly prompt: Prompt
  readonly input: {
    readonly query: string
    readonly evidence: readonly Evidence[]
    readonly maxTokens: number
  }
  /** Called with each piece of text as it is written. */
  readonly onText?: (delta: string) => void
}

export interface SchemaRequest extends CallOptions {
  readonly prompt: Prompt
  /** JSON Schema the value must match. The caller validates. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly input: { readonly text: string }
}

/** Throws ModelError, or the signal's reason once it is aborted. Never waits without a limit. */
export interface Reasoner {
  /** Shown in serverInfo and logs: `built-in`, or the model's name. Never a secret. */
  readonly name: string
  /** False for the built-in reasoner: nothing is generated, answers quote evidence. */
  readonly isLanguageModel: boolean
  extractFacts(request: ExtractionRequest): Promise<Answered<readonly RawFact[]>>
  nextStep(request: AgentStepRequest): Promise<Answered<AgentStep>>
  /** Writes the answer from evidence alone, without tools. May return "": the caller decides what that means. */
  writeAnswer(request: AnswerRequest): Promise<Answered<string>>
  extractBySchema(request: SchemaRequest): Promise<Answered<unknown>>
}

export interface Embedder {
  /** Model name as stored with the data; a different one at start is refused. */
  readonly name: string
  readonly dimensions: number
  /**
   * One vector a text, in order. `purpose` matters to asymmetric models. A text without any known word gives an
   * all-zero vector: the caller stores no vector for it and searches it by keyword.
   */
  embed(
    texts: readonly string[],
    purpose: 'query' | 'passage',
    options: CallOptions,
  ): Promise<readonly Float32Array[]>
}

export interface RerankRequest extends CallOptions {
  readonly query: string
  readonly passages: readonly string[]
}

export interface Reranker {
  readonly name: string
  /** One score in 0..1 a passage, in order. */
  rerank(request: RerankRequest): Promise<readonly number[]>
}
