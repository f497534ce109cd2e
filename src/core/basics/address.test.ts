import { expect, test } from 'vitest'
import { isAddress, isThisMachine, momentLink, publicAddress } from './address.ts'

test('an address is http or https; a path, an id and other schemes are none', () => {
  expect(['http://a.org/x', 'HTTPS://a.org'].map(isAddress)).toEqual([true, true])
  expect(['talk.mp4', 'v0123', 'file:///etc/passwd', 'http:/a', '--exec=x', './http://x'].map(isAddress)).toEqual(
    Array(6).fill(false),
  )
})

test('this machine is named by its own addresses only', () => {
  const here = ['localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]']
  const elsewhere = ['127.example.org', '127.0.0.1.example.org', 'localhost.example.org', '128.0.0.1', '::2', 'db', '']
  expect(here.map(isThisMachine)).toEqual(here.map(() => true))
  expect(elsewhere.map(isThisMachine)).toEqual(elsewhere.map(() => false))
})

test('a moment is linked as its site writes it', () => {
  const links = [
    ['https://www.youtube.com/watch?v=abc', 'https://www.youtube.com/watch?v=abc&t=754s'],
    ['https://youtu.be/abc?t=3s', 'https://youtu.be/abc?t=754s'],
    ['https://vimeo.com/123', 'https://vimeo.com/123#t=754s'],
    ['https://www.dailymotion.com/video/x1', 'https://www.dailymotion.com/video/x1?start=754'],
    ['https://www.twitch.tv/videos/1', 'https://www.twitch.tv/videos/1?t=754s'],
    ['https://example.org/talk.mp4', 'https://example.org/talk.mp4#t=754'],
  ]
  for (const [address, link] of links) expect(momentLink(address!, 754.9)).toBe(link)
})

test('an address is shown without what may be a secret', () => {
  const shown = [
    [
      'http://ada:pw@host:8080/a/b.mp4?token=t0p&sig=x&token=y#access=z',
      'http://host:8080/a/b.mp4?token=redacted&sig=redacted',
    ],
    ['https://ada@host/a.mp4', 'https://host/a.mp4'],
    ['https://www.youtube.com/watch?v=abc-_1&si=share', 'https://www.youtube.com/watch?v=abc-_1&si=redacted'],
    ['https://www.youtube.com/watch?v=a%20long+secret', 'https://www.youtube.com/watch?v=redacted'],
    ['https://www.bilibili.com/video/BV1?p=2', 'https://www.bilibili.com/video/BV1?p=2'],
    ['https://youtube.com.evil.org/?v=abc', 'https://youtube.com.evil.org/?v=redacted'],
    ['https://host/a?justasecret', 'https://host/a?redacted'],
    ['https://host/a?justasecret&another', 'https://host/a?redacted'],
    ['https://host/a?sig&token=x', 'https://host/a?redacted&token=redacted'],
    ['http://ada:p/w@host/a', 'http://host/a'],
    ['https://host/talk.mp4', 'https://host/talk.mp4'],
    ['http://ada:p@w@[bad/a?token=x', 'http://[bad/a'],
  ]
  for (const [address, text] of shown) expect(publicAddress(address!)).toBe(text)
})
