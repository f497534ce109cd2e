// The few flat answers that S3 gives in XML. No entity but the five of XML and numbers: nothing is fetched or expanded.

export function textIn(xml: string, tag: string): string | undefined {
  const content = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1]
  return content === undefined ? undefined : plain(content)
}

export function elementsIn(xml: string, tag: string): string[] {
  const open = `<${tag}>`
  return xml
    .split(open)
    .slice(1)
    .map(rest => rest.slice(0, Math.max(0, rest.indexOf(`</${tag}>`))))
}

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function plain(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
    if (code === undefined) return named[name] ?? whole
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
