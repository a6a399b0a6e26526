/** 4310 → `4,310`, in every locale. */
export const thousands = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

/** `1 case`, `2,310 cases`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${thousands(value)} ${value === 1 ? one : many}`

/** `0.6 s`, `12 min 5 s`. */
export const duration = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
