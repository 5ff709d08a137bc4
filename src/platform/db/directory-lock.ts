import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const LOCK_FILE = 'engram.lock'
const MAX_TRIES = 3

/** The data directory belongs to a process that is alive. */
export class DirectoryLockedError extends Error {
  override readonly name = 'DirectoryLockedError'
}

/**
 * Takes the directory for this process and returns how to give it back. The engine has no lock of its own
 * (`postmaster.pid` stays after a kill), and two processes in one directory destroy it.
 * A lock left by a killed process is taken over: it names the process and when that started, since numbers are reused
 * and a container's main process is always number 1.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true })
  const path = join(directory, LOCK_FILE)
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    if (await tryCreate(path)) return () => rm(path, { force: true })
    const holder = await readHolder(path)
    if (holder && (await isAlive(holder))) break
    await rm(path, { force: true })
  }
  throw new DirectoryLockedError(
    `The data directory ${directory} is in use by another Engram process. Stop it, or choose another directory with ENGRAM_DATA_DIR. Several processes need PostgreSQL: set DATABASE_URL.`,
  )
}

interface Holder {
  readonly pid: number
  readonly started: string | null
}

/** The file appears with its content in one step, so that no other process ever reads it half written. */
async function tryCreate(path: string): Promise<boolean> {
  const draft = `${path}.${process.pid}`
  const holder: Holder = { pid: process.pid, started: await startedAt(process.pid) }
  await writeFile(draft, JSON.stringify(holder))
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function readHolder(path: string): Promise<Holder | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (typeof value !== 'object' || value === null) return null
    const { pid, started } = value as Partial<Holder>
    return typeof pid === 'number' ? { pid, started: started ?? null } : null
  } catch {
    return null
  }
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  const now = await startedAt(pid)
  return started === null || now === null || started === now
}

/** Start time in clock ticks since boot, from the 22nd field of /proc/PID/stat; null where there is no /proc. */
async function startedAt(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
