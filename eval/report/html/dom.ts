// The little of a browser's document that the page uses.
export interface PageNode {
  textContent: string | null
}

export interface PageElement extends PageNode {
  append(...nodes: (PageNode | string)[]): void
  replaceChildren(...nodes: (PageNode | string)[]): void
  setAttribute(name: string, value: string): void
  addEventListener(type: string, listener: () => void): void
  value: string
  checked: boolean
  open: boolean
}

export interface PageDocument {
  title: string
  createElement(tag: string): PageElement
  createElementNS(space: string, tag: string): PageElement
  getElementById(id: string): PageElement | null
}
