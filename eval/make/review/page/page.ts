import { createHash } from 'node:crypto'
import { unseenSigns } from '../../../../src/core/words/visible-text.ts'
import { h, jsonScript, type MarkupElement, toHtml } from '../../../report/page/markup.ts'
import { flaggedItems, type ReviewSet } from '../review-set.ts'
import { dropReasons } from '../verdict.ts'
import type { ItemView } from '../view.ts'
import { body } from './body.ts'
import { doingScript } from './doing-script.ts'
import { eventScript } from './event-script.ts'
import { itemScript } from './item-script.ts'
import { keyScript } from './key-script.ts'
import { playerScript } from './player-script.ts'
import { storeScript } from './store-script.ts'
import { reviewStyle } from './style.ts'

export interface ReviewPage {
  html: string
  policy: string
}

export interface PageVideo {
  id: string
  duration: number
  there: boolean
  pictures: boolean
  type?: string // of what a browser may play
  src?: string
  stills?: [time: number, src: string][] // where no server makes them
}

export interface PageWish {
  mode: 'served' | 'static'
  set: ReviewSet
  reviewer?: string
  videos: readonly PageVideo[]
  items?: readonly ItemView[] // of the static page
}

const script = `'use strict';\n${storeScript}${doingScript}${playerScript}${itemScript}${eventScript}${keyScript}`

export function reviewPage({ mode, set, reviewer, videos, items }: PageWish): ReviewPage {
  const kinds = [...new Set(set.items.map(({ kind }) => kind))].sort()
  return wholePage({
    isServed: mode === 'served',
    title: `Review of a ${set.recipe.name} set`,
    body,
    script,
    given: {
      mode,
      set: set.set.canary,
      recipe: set.recipe.name,
      reviewer,
      videos,
      items,
      kinds,
      reasons: dropReasons,
      total: set.items.length,
      flagged: flaggedItems(set).size > 0,
    },
  })
}

interface WholePage {
  isServed: boolean
  title: string
  body: readonly MarkupElement[]
  script: string
  given: object // for the script
}

// One page that asks nobody but the server it came from; the static one asks nobody at all.
export function wholePage({ isServed, title, body, script, given }: WholePage): ReviewPage {
  const policy = [
    "default-src 'none'",
    `script-src ${hashContent(script)}`,
    `style-src ${hashContent(reviewStyle)}`,
    isServed ? "img-src 'self' data:" : 'img-src data:',
    isServed ? "media-src 'self'" : "media-src 'self' file:",
    ...(isServed ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const html = [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    ...(isServed ? [] : [`<meta http-equiv="Content-Security-Policy" content="${policy}">`]),
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<link rel="icon" href="data:,">',
    toHtml(h('title', title)),
    `<style>${reviewStyle}</style></head><body>`,
    ...body.map(toHtml),
    toHtml(jsonScript({ ...given, hidden: unseenSigns })),
    `<script>${script}</script></body></html>`,
    '',
  ].join('\n')
  return { html, policy: isServed ? `${policy}; frame-ancestors 'none'` : policy }
}

function hashContent(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
