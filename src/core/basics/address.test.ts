import { expect, test } from 'vitest'
import { isAddress, momentLink } from './address.ts'

test('an address is http or https; a path, an id and other schemes are none', () => {
  expect(['http://a.org/x', 'HTTPS://a.org'].map(isAddress)).toEqual([true, true])
  expect(['talk.mp4', 'v0123', 'file:///etc/passwd', 'http:/a', '--exec=x', './http://x'].map(isAddress)).toEqual(
    Array(6).fill(false),
  )
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
