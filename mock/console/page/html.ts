import { html as bound } from 'htm/preact'
import { render, type VNode } from 'preact'
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'

/** Markup: what stands in it as a value is only ever text, an attribute or another piece of markup. */
export const html: (strings: TemplateStringsArray, ...values: readonly unknown[]) => VNode = bound

export { render, useEffect, useMemo, useReducer, useRef, useState, type VNode }
