/** PEM: the key, and its certificate, with the chain behind it if there is one. */
export type Certificate = { readonly key: string; readonly cert: string }
