import { expect, type Page, test } from 'playwright/test'

// Other tests add products at the same time, so each looks for its own.
let count = 0
const ownName = (): string => {
  count += 1
  return `Aroma ${test.info().workerIndex}-${Date.now()}-${count}`
}

type Product = {
  readonly name: string
  readonly category?: string
  readonly price: string
  readonly stock: string
}

const fill = async (page: Page, { name, category = 'tea', price, stock }: Product): Promise<void> => {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Category').selectOption(category)
  await page.getByLabel('Price').fill(price)
  await page.getByLabel('In stock').fill(stock)
  await page.getByRole('button', { name: 'Save' }).click()
}

const add = async (page: Page, product: Product): Promise<void> => {
  await page.goto('/#/new')
  await fill(page, product)
  await expect(page.getByRole('heading', { name: product.name })).toBeVisible()
}

test('the list has pages, a filter and an order', async ({ page }) => {
  await page.goto('/')
  const rows = page.getByRole('listitem').filter({ has: page.locator('.price') })
  await expect(rows).toHaveCount(5)
  const first = (await rows.first().textContent()) ?? ''
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/^Page 2 of/)).toBeVisible()
  await expect(rows.first()).not.toHaveText(first)
  await page.getByLabel('Category').selectOption('coffee')
  await page.getByLabel('In stock').check()
  await page.getByLabel('Order').selectOption('-price')
  await expect(page.getByText(/^Page 1 of/)).toBeVisible()
  await expect(rows.locator('.tag').filter({ hasNotText: 'coffee' })).toHaveCount(0)
  await expect(rows.first()).toHaveText(/^Espresso/)
  const prices = (await rows.locator('.price').allTextContents()).map(Number)
  expect(prices).toEqual([...prices].sort((left, right) => right - left))
})

test('a product is added, changed and removed', async ({ page }) => {
  const name = ownName()
  await add(page, { name, category: 'spice', price: '3.20', stock: '4' })
  await expect(page.getByText('3.20')).toBeVisible()
  const address = page.url()
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByLabel('Name')).toHaveValue(name)
  await fill(page, { name: `${name}, ground`, category: 'spice', price: '3.50', stock: '4' })
  await expect(page.getByRole('heading', { name: `${name}, ground` })).toBeVisible()
  await page.reload()
  await expect(page.getByText('3.50')).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('heading', { name: 'Products' })).toBeVisible()
  await page.goto(address)
  await expect(page.getByRole('alert')).toBeVisible()
})

test('what the shop rejects is shown with the reason', async ({ page }) => {
  await page.goto('/#/new')
  await fill(page, { name: ownName(), price: '-1', stock: '4' })
  await expect(page.getByRole('alert')).toContainText('price')
})

test('a photo is uploaded', async ({ page }) => {
  await page.goto('/#/products/p1')
  const picture = { name: 'cup.png', mimeType: 'image/png', buffer: Buffer.from([137, 80, 78, 71]) }
  await page.getByLabel('Picture').setInputFiles(picture)
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByRole('alert')).toContainText('caption')
  await page.getByLabel('Caption').fill('A cup')
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'A cup' })).toBeVisible()
})

test('a change of the stock appears without a reload', async ({ page }) => {
  await add(page, { name: ownName(), price: '1', stock: '9' })
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('In stock').fill('8')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(
    page
      .getByRole('log')
      .getByText(/\d+ left/)
      .first(),
  ).toBeVisible()
})
