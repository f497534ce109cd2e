import type { PictureStream, SoundStream, Video } from '../video.ts'

// Whether a browser may play the file itself. Whether this one really does, its canPlayType(type) says, and whether a picture comes.
interface Playable {
  way: 'direct' | 'hls'
  type: string // of the file: 'video/mp4; codecs="avc1.640028, mp4a.40.2"'
}

interface Kind {
  like: RegExp
  picture: string
  sound: string
  pictures: RegExp
  sounds: RegExp
}

// What browsers play at all, from what the probe found in the file, never from its name.
const kinds: Kind[] = [
  {
    like: /matroska|webm/,
    picture: 'video/x-matroska',
    sound: 'audio/x-matroska',
    pictures: /^(h264|vp8|vp9|av1)$/,
    sounds: /^(aac|mp3|opus|vorbis|flac)$/,
  },
  {
    like: /mp4|mov/,
    picture: 'video/mp4',
    sound: 'audio/mp4',
    pictures: /^(h264|hevc|vp9|av1)$/,
    sounds: /^(aac|mp3|opus|flac)$/,
  },
  { like: /ogg/, picture: 'video/ogg', sound: 'audio/ogg', pictures: /^vp8$/, sounds: /^(vorbis|opus|flac)$/ },
  { like: /mp3/, picture: 'video/mpeg', sound: 'audio/mpeg', pictures: /^$/, sounds: /^mp3$/ },
  { like: /flac/, picture: '', sound: 'audio/flac', pictures: /^$/, sounds: /^flac$/ },
  { like: /wav/, picture: '', sound: 'audio/wav', pictures: /^$/, sounds: /^pcm_(u8|s16le|s24le|s32le|f32le)$/ },
  { like: /^aac$/, picture: '', sound: 'audio/aac', pictures: /^$/, sounds: /^aac$/ },
]

export function playable({ container, picture, sound }: Pick<Video, 'container' | 'picture' | 'sound'>): Playable {
  const kind = kinds.find(({ like }) => like.test(container))
  if (!kind) return { way: 'hls', type: 'application/octet-stream' }
  const plain = !picture || (kind.pictures.test(picture.codec) && isPlain(picture))
  const heard = !sound || kind.sounds.test(sound.codec)
  const isWebm = /webm/.test(container) && /^(vp8|vp9|av1)$/.test(picture?.codec ?? '')
  const type = isWebm ? 'video/webm' : (picture ? kind.picture : kind.sound) || 'application/octet-stream'
  const codecs = [picture && pictureCodec(picture), sound && soundCodec(sound)].filter(one => one !== undefined)
  const namesCodecs = codecs.length > 0 && type.includes('/') && !/mpeg|flac|wav|aac/.test(type)
  return { way: plain && heard ? 'direct' : 'hls', type: namesCodecs ? `${type}; codecs="${codecs.join(', ')}"` : type }
}

// Eight bits, a chroma sample for four pixels; ten bits where the codec's usual profile has them. What an older index does not
// know is tried.
function isPlain({ codec, pixels }: PictureStream): boolean {
  if (pixels === undefined || /^(yuvj?420p|nv12)$/.test(pixels)) return true
  return pixels === 'yuv420p10le' && codec !== 'h264'
}

const h264Profiles: Record<string, string> = {
  'Constrained Baseline': '42E0',
  Baseline: '4200',
  Main: '4D40',
  High: '6400',
  'High 10': '6E00',
  'High 4:2:2': '7A00',
  'High 4:4:4 Predictive': 'F400',
}

function pictureCodec({ codec, profile = '', level = 0, pixels = '' }: PictureStream): string | undefined {
  const deep = /10le$/.test(pixels)
  const two = (value: number) => String(value).padStart(2, '0')
  if (codec === 'h264') return `avc1.${h264Profiles[profile] ?? '6400'}${two0x(level > 0 ? level : 40)}`
  if (codec === 'hevc') return `hvc1.${deep ? '2.4' : '1.6'}.L${level > 0 ? level : 120}.B0`
  if (codec === 'vp9') return `vp09.${deep ? '02' : '00'}.${level > 0 ? two(level) : '41'}.${deep ? '10' : '08'}`
  if (codec === 'av1') return `av01.0.${two(level > 0 ? level : 8)}M.${deep ? '10' : '08'}`
  return { vp8: 'vp8', theora: 'theora', mpeg4: 'mp4v.20.9', prores: 'apcn' }[codec]
}

function two0x(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, '0')
}

function soundCodec({ codec }: SoundStream): string | undefined {
  const codecNames: Record<string, string> = { aac: 'mp4a.40.2', ac3: 'ac-3', eac3: 'ec-3', alac: 'alac' }
  return codecNames[codec] ?? (/^(mp3|opus|vorbis|flac)$/.test(codec) ? codec : undefined)
}
