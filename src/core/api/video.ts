import { z } from 'zod'
import { People } from '../people.ts'
import { Coverage, Overview, TrackCoverage } from '../video.ts'
import { ShortVideo } from './row.ts'

// ready: indexed. partial: indexed, but a part could not be looked at. waiting: the index is missing or was made with other
// settings. indexing: a job is at it. changed: the file is no longer what was indexed. gone: the file is not where it was.
export const VideoState = z.enum(['ready', 'partial', 'waiting', 'indexing', 'changed', 'gone'])
export type VideoState = z.infer<typeof VideoState>

// How each track came to be.
const TrackState = TrackCoverage.shape.state
export const LookState = z.object({ picture: TrackState, speech: TrackState, text: TrackState, sound: TrackState })
export type LookState = z.infer<typeof LookState>

export const VideoEntry = ShortVideo.extend({
  name: z.string(),
  bytes: z.number(),
  added: z.string().optional(), // ISO date on which the library got to know it, where the disk tells
  container: z.string(),
  picture: z
    .object({ codec: z.string(), width: z.number(), height: z.number(), frameRate: z.number().optional() })
    .optional(),
  sound: z.object({ codec: z.string(), channels: z.number(), language: z.string().optional() }).optional(),
  state: VideoState,
  why: z.string().optional(), // of a state that is not ready
  playback: z.enum(['direct', 'hls']), // direct: browsers may play the file; ask canPlayType(type), and take media.hls where it does not
  type: z.string(), // of the file: 'video/mp4; codecs="avc1.640028, mp4a.40.2"'
  media: z.object({
    source: z.string(), // the file
    still: z.string(), // followed by SECONDS.jpg
    hls: z.string(), // the playlist of the video in pieces that every browser plays
    captions: z.string(), // what is said, as WebVTT
    clip: z.string(), // followed by ?from=SECONDS&to=SECONDS
  }), // signed paths
  looked: LookState.optional(), // absent: there is no index that can be read
})
export type VideoEntry = z.infer<typeof VideoEntry>

export const VideoList = z.object({ videos: z.array(VideoEntry), cursor: z.string().optional() })

// With what the index knows, if there is one.
export const VideoDetails = VideoEntry.extend({
  notes: z.array(z.string()),
  coverage: Coverage.optional(),
  overview: Overview.optional(),
  people: People.optional(), // where voices, faces or captions are indexed
  missing: z.array(z.object({ stage: z.string(), by: z.string() })), // what indexing would make now
})
export type VideoDetails = z.infer<typeof VideoDetails>

export const Folder = z.object({ folder: z.number(), name: z.string(), path: z.string() })

export const FolderList = z.object({ folders: z.array(Folder) })

export const FolderEntries = z.object({
  folder: z.number(),
  path: z.string(), // below the folder
  entries: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['folder', 'video']),
      bytes: z.number().optional(),
      video: z.string().optional(), // its id, where the library knows the file
    }),
  ),
})
export type FolderEntries = z.infer<typeof FolderEntries>
