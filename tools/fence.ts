// Words of strangers as data: they cannot close the fence that they stand in.
export function fence(name: string, content: string): string {
  return `<data ${name}>\n${content.replace(/<(\/?)data/gi, '<$1 data')}\n</data>`
}
