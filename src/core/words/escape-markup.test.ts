import { describe, expect, test } from 'vitest'
import { escapeMarkup, openMarkupStream } from './escape-markup.ts'

describe('words for a client that shows Markdown or HTML', () => {
  test.each([
    '<image src=http://evil/c.png>',
    '<input type=image src=//evil>',
    '<div style="background-image:url(http://evil)">',
    '<BODY background=x>',
    '<x-a onclick=1>',
    '</p>',
    '<!-- -->',
    '<![CDATA[',
    '<?php',
    '<javascript:alert(1)>',
    '<mailto:a@b.c>',
    '\\<img src=x>',
    '\\\\<img src=x>',
    '<<img src=x>',
    '<isindex type=image>',
  ])('hold no tag and no autolink: %s', words => expect(escapeMarkup(`a ${words} b`)).not.toMatch(/<[a-z/!?]/i))

  test.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x]( javascript:alert(1))',
    '[x](\njavascript:alert(1))',
    '[x](java&#115;cript:alert(1))',
    '[x](java\\script:alert(1))',
    '[x](data:text/html,x)',
    '[x](vbscript:x)',
    '[x](//evil/a)',
    '[x](/api/runs)',
    '[x](ftp://evil)',
    '[x](http:evil)',
    '[x](<javascript:alert(1)>)',
    '[a [b] c](file:///etc/passwd)',
  ])('hold no link but to http and https: %s', words => expect(escapeMarkup(words)).not.toContain(']('))

  test.each(['![x](http://evil/a.png)', '\\![x](http://evil/a.png)', '![x][r]', '[![x](http://evil)](http://evil)'])(
    'hold no image: %s',
    words => expect(escapeMarkup(words)).not.toMatch(/!\[/),
  )

  test('hold no definition that an image or a link could refer to', () => {
    expect(escapeMarkup('[r]: javascript:alert(1)\n> [s]:data:x')).toBe('[r]\\: javascript:alert(1)\n> [s]\\:data:x')
  })

  test.each([
    'a < b, 1<2 and <3',
    'see [the page](https://example.org/a) and [that](HTTP://example.org)',
    'x[1] = y(2)',
    'a & b > c',
    '[12:34].',
  ])('stay as they are otherwise: %s', words => expect(escapeMarkup(words)).toBe(words))

  const pieces = ['<', 'img src=x>', '!', '[', 'x', ']', '(', 'java', 'script:1)', 'h', 'ttps:', '//e)', ':', ' ', '\\']
  const letters = [...pieces, 'ab\u0301', '\udb40', '\udc41', '👨', '\u200d', '\u202e', '\n', 'می\u200c']
  test('in pieces are the same as whole, wherever they are cut', () => {
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 48271) % 0x7fffffff
      return seed % below
    }
    for (let round = 0; round < 5000; round++) {
      const parts = Array.from({ length: 1 + next(12) }, () => letters[next(letters.length)]!)
      const stream = openMarkupStream()
      const streamed = parts.map(part => stream.write(part)).join('') + stream.end()
      expect(streamed).toBe(escapeMarkup(parts.join('')))
    }
  })

  test('come at most a few letters late', () => {
    const stream = openMarkupStream()
    expect(stream.write('今天我们来谈谈河上的新桥')).toBe('今天我们来谈谈河上的新')
    expect(stream.write('[x](https://example.org/a')).toBe('桥[x](https://example.org/')
  })
})
