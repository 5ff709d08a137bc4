export interface Chunk {
  readonly text: string
  /** Whose turn the chunk continues; null when it starts at the start of a turn, or when nobody is known to speak. */
  readonly speaker: string | null
}
