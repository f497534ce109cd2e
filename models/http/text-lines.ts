// Decodes the lines of a byte stream; characters may be split between chunks. Invalid UTF-8 throws a TypeError. `whole`
// is false for a last line without a line break.
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ line: string; whole: boolean }> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield { line: line.replace(/\r$/, ''), whole: true }
  }
  rest += decoder.decode()
  if (rest !== '') yield { line: rest.replace(/\r$/, ''), whole: false }
}
