/**
 * Each item of a stream turned into any number of values. Ends the source at once when the consumer leaves, which an
 * async generator that is waiting would not.
 */
export function mapStream<In, Out>(
  source: AsyncIterableIterator<In>,
  map: (item: In) => readonly Out[] | Promise<readonly Out[]>,
): AsyncIterableIterator<Out> {
  const ready: Out[] = []
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      for (;;) {
        const value = ready.shift()
        if (value !== undefined) return { done: false, value }
        const item = await source.next()
        if (item.done) return { done: true, value: undefined }
        ready.push(...(await map(item.value)))
      }
    },
    async return() {
      await source.return?.()
      return { done: true, value: undefined }
    },
  }
}
