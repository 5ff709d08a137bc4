import { randomBytes } from 'node:crypto'

let lastMs = 0
let sequence = 0

/**
 * A UUID of version 7 (RFC 9562): rising within this process also inside one millisecond, so that rows of equal time
 * sort in the order they were made and index pages fill from one end.
 */
export function newId(now: Date = new Date()): string {
  const ms = Math.max(now.getTime(), lastMs)
  sequence = ms === lastMs ? sequence + 1 : 0
  lastMs = sequence > 0xfff ? ms + 1 : ms
  if (sequence > 0xfff) sequence = 0
  const bytes = randomBytes(16)
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | sequence, 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a client's text can be an id at all; asking the database with any other text is an error there. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
