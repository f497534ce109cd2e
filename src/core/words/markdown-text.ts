import { visibleLine } from './visible-text.ts'

// Words as text on one line of Markdown: they leave no cell and become no link, tag, list or heading.
export function markdownText(text: string): string {
  return visibleLine(text)
    .replaceAll('\t', ' ')
    .replace(/[\\|`*_[\]<>~]/g, '\\$&')
    .replace(/^\s*(?=[#+-]+(?:\s|$))/, '\\')
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}
