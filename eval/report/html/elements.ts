import type { PageDocument, PageElement, PageNode } from './dom.ts'

export type Attributes = Record<string, string | number | undefined>
export type Child = PageNode | string | undefined | false

export interface Elements {
  element(tag: string, attributes?: Attributes, ...children: Child[]): PageElement
  drawing(tag: string, attributes?: Attributes, ...children: Child[]): PageElement
  time(seconds: number): string
  percent(value: number): string
}

// Runs in the browser, and is put into the page as text: it may use nothing from outside itself. Texts only ever become text
// nodes, so whatever stands in a question or was read in a video is shown and never obeyed.
export function elementTools(document: PageDocument): Elements {
  // Signs that would turn the direction of what follows, or mean something to a terminal, are shown by their names instead.
  const visible = (text: string) =>
    text.replace(
      /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu,
      sign => `⟨${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}⟩`,
    )
  const fill = (made: PageElement, attributes: Attributes, children: Child[]) => {
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined) made.setAttribute(name, name === 'value' ? String(value) : visible(String(value)))
    for (const child of children)
      if (child !== undefined && child !== false) made.append(typeof child === 'string' ? visible(child) : child)
    return made
  }
  return {
    element: (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children),
    drawing: (tag, attributes = {}, ...children) =>
      fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children),
    time(seconds) {
      const whole = Math.max(0, Math.floor(seconds + 1e-6))
      const two = (value: number) => String(value).padStart(2, '0')
      const hours = Math.floor(whole / 3600)
      const minutes = Math.floor((whole % 3600) / 60)
      return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
    },
    percent: value => (Math.abs(value) >= 99.95 ? value.toFixed(0) : value.toFixed(1)),
  }
}
