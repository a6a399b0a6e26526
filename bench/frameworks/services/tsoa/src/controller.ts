import { randomUUID } from 'node:crypto'
import {
  Body,
  Controller,
  Delete,
  FormField,
  Get,
  Header,
  Patch,
  Path,
  Post,
  Put,
  Queries,
  Query,
  Response,
  Route,
  Security,
  SuccessResponse,
  UploadedFile,
} from 'tsoa'

export type Size = 'small' | 'medium' | 'large'

export interface NewTool {
  /**
   * @minLength 1
   * @maxLength 60
   */
  name: string
  size: Size
  /**
   * @minimum 0
   * @maximum 500
   */
  weight?: number
  /** @isInt */
  stock: number
  note?: string | null
  /** @maxItems 5 */
  tags?: string[]
  boughtOn?: Date
  extras?: Record<string, number>
}

export interface Tool extends NewTool {
  /** @isInt */
  id: number
  createdAt: Date
}

interface ByCard {
  kind: 'card'
  /** @pattern ^[0-9]{12,19}$ */
  number: string
}

interface ByInvoice {
  kind: 'invoice'
  email: string
}

export interface NewRental {
  /** @isInt */
  toolId: number
  from: Date
  payment: ByCard | ByInvoice
}

/**
 * @pattern ^[0-9a-f-]{36}$
 */
export type RentalId = string

export interface Rental extends NewRental {
  id: RentalId
}

export interface Failure {
  message: string
  fields?: Record<string, unknown>
}

interface ToolQuery {
  /**
   * @isInt
   * @minimum 0
   */
  offset?: number
  /**
   * @isInt
   * @minimum 1
   * @maximum 100
   */
  limit?: number
  q?: string
  sizes?: Size[]
}

export class Failed extends Error {
  constructor(readonly status: number, message: string) {
    super(message)
  }
}

const tools = new Map<number, Tool>()
const rentals = new Map<string, Rental>()
let last = 0

const toolOr404 = (id: number): Tool => {
  const tool = tools.get(id)
  if (tool === undefined) throw new Failed(404, 'no such tool')
  return tool
}

@Route('tools')
@Response<Failure>(422, 'Validation failed')
export class ToolController extends Controller {
  @Get()
  public async listTools(@Queries() query: ToolQuery): Promise<{ items: Tool[]; total: number }> {
    const found = [...tools.values()].filter(
      tool => tool.name.includes(query.q ?? '') && (query.sizes === undefined || query.sizes.includes(tool.size)),
    )
    const offset = query.offset ?? 0
    return { items: found.slice(offset, offset + (query.limit ?? 20)), total: found.length }
  }

  @Post()
  @Security('bearer')
  @SuccessResponse(201, 'Created')
  @Response<Failure>(401, 'Unauthorized')
  public async addTool(@Body() body: NewTool): Promise<Tool> {
    last += 1
    const tool = { ...body, id: last, createdAt: new Date() }
    tools.set(tool.id, tool)
    this.setStatus(201)
    return tool
  }

  /** @isInt id */
  @Get('{id}')
  @Response<Failure>(404, 'Not found')
  public async getTool(@Path() id: number): Promise<Tool> {
    return toolOr404(id)
  }

  /** @isInt id */
  @Put('{id}')
  @Response<Failure>(404, 'Not found')
  public async replaceTool(@Path() id: number, @Body() body: NewTool): Promise<Tool> {
    const { createdAt } = toolOr404(id)
    const tool = { ...body, id, createdAt }
    tools.set(id, tool)
    return tool
  }

  /** @isInt id */
  @Patch('{id}')
  @Response<Failure>(404, 'Not found')
  public async changeTool(@Path() id: number, @Body() body: Partial<NewTool>): Promise<Tool> {
    const tool = { ...toolOr404(id), ...body }
    tools.set(id, tool)
    return tool
  }

  /** @isInt id */
  @Delete('{id}')
  @SuccessResponse(204, 'Gone')
  @Response<Failure>(404, 'Not found')
  public async removeTool(@Path() id: number): Promise<void> {
    toolOr404(id)
    tools.delete(id)
    this.setStatus(204)
  }

  /** @isInt id */
  @Post('{id}/manual')
  @Response<Failure>(404, 'Not found')
  public async uploadManual(
    @Path() id: number,
    @UploadedFile() manual: Express.Multer.File,
    @FormField() title?: string,
  ): Promise<{ bytes: number; title?: string }> {
    toolOr404(id)
    return { bytes: manual.size, ...(title === undefined ? {} : { title }) }
  }
}

@Route('rentals')
@Response<Failure>(422, 'Validation failed')
export class RentalController extends Controller {
  @Get()
  public async listRentals(@Query() from?: Date, @Query() open?: boolean): Promise<Rental[]> {
    return [...rentals.values()].filter(rental => open !== true || from === undefined || rental.from >= from)
  }

  @Post()
  @SuccessResponse(201, 'Created')
  public async rent(@Body() body: NewRental): Promise<Rental> {
    const rental = { ...body, id: randomUUID() }
    rentals.set(rental.id, rental)
    this.setStatus(201)
    return rental
  }

  @Get('{id}')
  @Response<Failure>(404, 'Not found')
  public async getRental(@Path() id: RentalId): Promise<Rental> {
    const rental = rentals.get(id)
    if (rental === undefined) throw new Failed(404, 'no such rental')
    return rental
  }
}

@Route('session')
@Response<Failure>(422, 'Validation failed')
export class SessionController extends Controller {
  @Post()
  @Response<Failure>(401, 'Wrong password')
  public async logIn(@Body() body: { user: string; password: string }): Promise<{ token: string }> {
    if (body.password !== 'secret') throw new Failed(401, 'wrong password')
    return { token: 'secret-token' }
  }

  /** @isInt depth */
  @Get('statistics')
  @Security('bearer')
  @Response<Failure>(401, 'Unauthorized')
  public async statistics(@Header('X-Depth') depth?: number): Promise<{ depth: number }> {
    return { depth: depth ?? 0 }
  }
}
