// Lines of a byte stream. A character whose bytes come in two pieces stays whole; bytes that are not UTF-8 throw a TypeError.
// `whole` is false for a last line that no line break ended.
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
