import schedule from 'node-schedule'

/** What the time is and what happens when. Tests put one in its place that they move by hand. */
export interface Clock {
  now(): Date
  /**
   * Calls `job` every `seconds` (a divisor of 60, or of 3600 in whole minutes) on the wall clock until stopped. Jobs look at stored times to decide what is
   * due, so a tick that is missed, doubled or late changes nothing, and no wait is ever longer than a timer can hold.
   */
  every(seconds: number, job: () => void): () => void
}

export const systemClock: Clock = {
  now: () => new Date(),
  every: (seconds, job) => {
    const rule = seconds < 60 ? `*/${seconds} * * * * *` : `0 */${Math.round(seconds / 60)} * * * *`
    const scheduled = schedule.scheduleJob(rule, job)
    // node-schedule answers null, without an error, for a rule that it cannot read.
    if (!scheduled) throw new Error(`"${rule}" is no schedule.`)
    return () => void scheduled.cancel()
  },
}
