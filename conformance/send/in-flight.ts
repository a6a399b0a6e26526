/** Does something with each item, at most so many at a time, in their order. Begins with no further one once `isOver`. */
export const inFlight = async <Item>(
  items: readonly Item[],
  most: number,
  isOver: () => boolean,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = items.values()
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (isOver()) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(Math.max(1, most), items.length) }, worker))
}
