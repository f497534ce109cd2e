import { unseenSigns } from '../../../src/core/words/visible-text.ts'

// A page as plain data: a text, or an element as tag, attributes and children. What runs in the browser builds elements from it.
export type Markup = string | MarkupElement
export type MarkupElement = [tag: string, attributes: Attributes, ...children: Markup[]]
export type Attributes = Record<string, string | number | undefined>
export type Child = Markup | undefined | false

// h('p.note', { title: 'x' }, 'text'). Texts stay texts in every form of the page, so whatever stands in a question or was read
// in a video is shown and never obeyed.
export function h(tag: string, ...content: (Child | Attributes)[]): MarkupElement {
  const [name = tag, ...classes] = tag.split('.')
  const attributes: Attributes = classes.length > 0 ? { class: classes.join(' ') } : {}
  const children: Markup[] = []
  for (const child of content) {
    if (child === undefined || child === false) continue
    if (typeof child === 'string') children.push(visible(child))
    else if (Array.isArray(child)) children.push(child)
    // The value of a control is compared and not shown.
    else
      for (const [key, value] of Object.entries(child))
        if (value !== undefined) attributes[key] = key === 'value' ? value : visible(String(value))
  }
  return [name, attributes, ...children]
}

// Characters that would turn the direction of what follows, or mean something to a terminal, are shown by their code points.
const hiddenSigns = new RegExp(unseenSigns, 'gu')

export function visible(text: string): string {
  return text.replace(hiddenSigns, sign => `⟨${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(2, '0')}⟩`)
}

export function toHtml(markup: Markup): string {
  if (typeof markup === 'string') return escapeXml(markup)
  const [tag, attributes, ...children] = markup
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
  const opening = `<${tag}${written.join('')}>`
  return tag === 'input' ? opening : `${opening}${children.map(tag === 'script' ? asScript : toHtml).join('')}</${tag}>`
}

export function escapeXml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, sign => names[sign] ?? sign)
}

// Data for the script of the page. The JSON cannot end its element or begin a comment in it, whatever its texts hold.
export function jsonScript(value: unknown): MarkupElement {
  return ['script', { type: 'application/json' }, JSON.stringify(value)]
}

function asScript(json: Markup): string {
  return String(json).replace(
    /[<>&\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
