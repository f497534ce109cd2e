import type { VideoEntry } from '../../../../src/core/api/video.ts'

// What is spoken, as the file says it: "ger" of a file is "de" of a page.
export function spokenLanguage({ sound }: Pick<VideoEntry, 'sound'>): string | undefined {
  if (sound?.language === undefined || sound.language === 'und') return undefined
  try {
    return Intl.getCanonicalLocales(sound.language)[0]
  } catch {
    return undefined
  }
}
