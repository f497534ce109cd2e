// What comes one by one, in groups.
export async function* inPages<T>(items: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let page: T[] = []
  for await (const item of items) {
    page.push(item)
    if (page.length < size) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
