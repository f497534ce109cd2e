import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtFolder } from '../../../src/core/machine/built-folder.ts'
import { h, jsonScript, type MarkupElement, toHtml } from './markup.ts'

// A page that is one file, and what a browser may do with it.
export interface PageFile {
  html: string
  policy: string
}

interface PageParts {
  code: 'report' | 'review' | 'sheet' | 'write' // a file of eval/page
  title: string
  content?: readonly MarkupElement[]
  data?: object // for the script
  media?: 'served' | 'files' // a page with videos: whether a server gives them, which it may then ask
}

// One file that opens offline: only its own script and style run in it, and no address in it is ever asked for but by a page that is served.
export function pageFile({ code, title, content = [], data, media }: PageParts): PageFile {
  const folder = builtFolder(import.meta.url, 'eval-page')
  const script = readFileSync(join(folder, `${code}.js`), 'utf8')
  const style = readFileSync(join(folder, `${code}.css`), 'utf8')
  const isServed = media === 'served'
  const policy = [
    "default-src 'none'",
    `script-src ${sourceHash(script)}`,
    `style-src ${sourceHash(style)}`,
    isServed ? "img-src 'self' data:" : 'img-src data:',
    ...(media === undefined ? [] : [`media-src 'self'${isServed ? '' : ' file:'}`]),
    ...(isServed ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    ...(isServed ? ["frame-ancestors 'none'"] : []), // which only a header can say
  ].join('; ')
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    ...(isServed ? [] : [`<meta http-equiv="Content-Security-Policy" content="${policy}">`]),
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<link rel="icon" href="data:,">',
    toHtml(h('title', title)),
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    toHtml(
      h('div', { id: 'page' }, h('noscript', h('p.note', 'This page needs its script; scripts are off.')), ...content),
    ),
    ...(data === undefined ? [] : [toHtml(jsonScript(data))]),
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
  return { html, policy }
}

function sourceHash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
