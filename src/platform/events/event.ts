/** One row of the durable log, as read back. Numbers are exact: a bank's log would need 285,000 years at 1,000 a second to pass 2^53. */
export interface BankEvent {
  readonly bankId: string
  readonly seq: number
  /** Position in the stream over all banks. */
  readonly xid: number
  readonly id: number
  readonly type: string
  readonly operationId: string | null
  readonly mentalModelId: string | null
  /**
   * Set on events that report a state: a client that is behind gets only the newest of those with one key. Events
   * without a key are a log and never dropped.
   */
  readonly stateKey: string | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly at: Date
}

export interface NewEvent {
  readonly type: string
  readonly operationId?: string | null
  readonly mentalModelId?: string | null
  readonly stateKey?: string | null
  /** Values at the time of the event. JSON only. */
  readonly payload: Readonly<Record<string, unknown>>
}
