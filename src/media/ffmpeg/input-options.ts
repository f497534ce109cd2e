import { InputError } from '../../core/errors.ts'

// Demuxers that read one file and nothing else. Playlists (hls, concat, dash, sdp, ...) name other files and are left out,
// and so are picture sequences, devices and generators.
const formats = [
  '3gp,aac,ac3,aiff,amr,ape,apng,asf,au,av1,avi,caf,dts,dv,eac3,f4v,flac,flv,gif,gxf,h261,h263,h264,hevc,ivf,m4v,matroska',
  'mjpeg,mov,mp3,mp4,mpeg,mpegts,mpegvideo,mpc,mpc8,mxf,nsv,nut,obu,ogg,pva,rm,tta,vc1,vivo,voc,w64,wav,webm,wtv,wv,yuv4mpegpipe',
].join(',')

// More than this is not a video but an attempt to exhaust the machine.
export const inputLimits = { streams: 32, pixels: 8192 * 8192, frameRate: 1000 }

// Options of ffprobe and ffmpeg before every input: one local file, of a container that cannot name others.
export const safeInput = [
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  formats,
  '-max_pixels',
  String(inputLimits.pixels),
] as const

// An absolute path with a prefix is taken as it is, whatever characters the name holds.
export function fileInput(path: string): string {
  return `file:${path}`
}

export function tooLarge(name: string, size: string): InputError {
  return new InputError(`${name} has a picture of ${size} pixels, more than can be read.`, {
    hint: 'Make it smaller: ffmpeg -i FILE -vf scale=1920:-2 out.mp4',
  })
}

// What is wrong with a file that ffprobe would not open, in one sentence, from its last words and the file's first bytes.
export function unreadable(name: string, said: string, head: Uint8Array): InputError {
  const refused = /^\[(\S+) @ [^\]]*\] Format not on whitelist/m.exec(said)?.[1]
  if (refused) return notOpened(name, refused)
  if (/permission denied/i.test(said))
    return new InputError(`${name} may not be read.`, { hint: 'Change its permissions (chmod u+r) or copy it.' })
  if (/moov atom not found/i.test(said) && isBoxed(head))
    return new InputError(`${name} was cut short or never finished: its index (moov) is missing.`, {
      hint: 'Copy or record it again; a repair tool such as untrunc may rebuild it from a whole file of the same camera.',
    })
  if (isText(head))
    return new InputError(`${name} is not a video: it holds text.`, { hint: 'Name the video or audio file itself.' })
  return new InputError(`ffmpeg cannot read ${name} as video or audio.`, {
    hint: 'Check that it plays elsewhere and was copied whole; its ending says nothing about what is inside.',
  })
}

// MP4 and MOV files are made of boxes whose names stand at byte 4.
function isBoxed(head: Uint8Array): boolean {
  return /^(ftyp|mdat|moov|free|skip|wide|pnot)$/.test(Buffer.from(head.subarray(4, 8)).toString('latin1'))
}

function isText(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString('utf8')
  return text.length > 0 && !/[\0-\x08\x0e-\x1a\x1c-\x1f]|\ufffd(?!$)/.test(text)
}

export function stillPicture(name: string): InputError {
  return new InputError(`${name} is a still picture, not a video.`, {
    hint: 'Make a video of it first: ffmpeg -loop 1 -i PICTURE -t 5 -pix_fmt yuv420p out.mp4',
  })
}

function notOpened(name: string, format: string): InputError {
  if (/_pipe$|^image2/.test(format)) return stillPicture(name)
  if (/^(hls|applehttp|concat|dash|imf|sdp|rtp|rtsp|webm_dash_manifest)/.test(format))
    return new InputError(
      `${name} is a playlist (${format}), which names other files; only the video itself is opened.`,
      {
        hint: 'Join it into one file first: ffmpeg -i PLAYLIST -c copy out.mp4',
      },
    )
  if (/^(srt|webvtt|ass|microdvd|sami|subviewer|mpl2|stl|scc|ttml)/.test(format))
    return new InputError(`${name} holds subtitles, not a video.`, {
      hint: 'Name the video; subtitle files of the same name beside it are read with it.',
    })
  return new InputError(`Files of type ${format} are not supported: ${name}.`, {
    hint: 'If it is a video, turn it into a common kind first: ffmpeg -i FILE out.mp4',
  })
}
