// Whether a file is taken for a video or a sound by its name, where a folder is gone through.
export const isMedia = /\.(mp4|m4v|mkv|webm|mov|avi|ts|mts|m2ts|mpe?g|flv|wmv|3gp|ogv|mp3|m4a|wav|flac|ogg|opus|aac)$/i
