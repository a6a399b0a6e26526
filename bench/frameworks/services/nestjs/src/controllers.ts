import { randomUUID } from 'node:crypto'
import {
  BadRequestException, Body, type CanActivate, Controller, Delete, type ExecutionContext, Get, HttpCode, Injectable, NotFoundException, Param, ParseIntPipe, ParseUUIDPipe, Patch, Post, Put, Query, UnauthorizedException, UploadedFile, UseGuards, UseInterceptors,
} from '@nestjs/common'
import { FileInterceptor } from '@nestjs/platform-express'
import {
  ApiBadRequestResponse, ApiBearerAuth, ApiBody, ApiConsumes, ApiCreatedResponse, ApiNoContentResponse, ApiNotFoundResponse, ApiOkResponse, ApiParam, ApiUnauthorizedResponse,
} from '@nestjs/swagger'
import { ConcertDto, ConcertPageDto, ConcertQueryDto, CreateConcertDto, CreateTicketDto, ErrorDto, PosterDto, SizeDto, SubscribeDto, TicketDto, UpdateConcertDto } from './dto.js'

@Injectable()
export class AuthGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp()
    if (http.getRequest().headers.authorization === 'Bearer secret-token') return true
    http.getResponse().setHeader('WWW-Authenticate', 'Bearer')
    throw new UnauthorizedException()
  }
}

const concerts = new Map<number, ConcertDto>()
const tickets = new Map<string, TicketDto>()
let last = 0

const found = (id: number): ConcertDto => {
  const concert = concerts.get(id)
  if (concert === undefined) throw new NotFoundException()
  return concert
}

@ApiBadRequestResponse({ type: ErrorDto })
@Controller('concerts')
export class ConcertsController {
  @Get()
  @ApiOkResponse({ type: ConcertPageDto })
  list(@Query() query: ConcertQueryDto): ConcertPageDto {
    const all = [...concerts.values()].filter(
      concert => concert.title.includes(query.q ?? '') && (query.genre === undefined || query.genre === concert.genre),
    )
    const start = (query.page - 1) * query.perPage
    return { items: all.slice(start, start + query.perPage), total: all.length }
  }

  @Post()
  @UseGuards(AuthGuard)
  @ApiBearerAuth()
  @ApiCreatedResponse({ type: ConcertDto })
  @ApiUnauthorizedResponse({ type: ErrorDto })
  create(@Body() body: CreateConcertDto): ConcertDto {
    last += 1
    const concert = { ...body, id: last, createdAt: new Date().toISOString() }
    concerts.set(last, concert)
    return concert
  }

  @Get(':id')
  @ApiParam({ name: 'id', type: 'integer' })
  @ApiOkResponse({ type: ConcertDto })
  @ApiNotFoundResponse({ type: ErrorDto })
  get(@Param('id', ParseIntPipe) id: number): ConcertDto {
    return found(id)
  }

  @Put(':id')
  @ApiParam({ name: 'id', type: 'integer' })
  @ApiOkResponse({ type: ConcertDto })
  @ApiNotFoundResponse({ type: ErrorDto })
  replace(@Param('id', ParseIntPipe) id: number, @Body() body: CreateConcertDto): ConcertDto {
    const { createdAt } = found(id)
    const concert = { ...body, id, createdAt }
    concerts.set(id, concert)
    return concert
  }

  @Patch(':id')
  @ApiParam({ name: 'id', type: 'integer' })
  @ApiOkResponse({ type: ConcertDto })
  @ApiNotFoundResponse({ type: ErrorDto })
  update(@Param('id', ParseIntPipe) id: number, @Body() body: UpdateConcertDto): ConcertDto {
    const concert = { ...found(id), ...body }
    concerts.set(id, concert)
    return concert
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiParam({ name: 'id', type: 'integer' })
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ type: ErrorDto })
  remove(@Param('id', ParseIntPipe) id: number): void {
    found(id)
    concerts.delete(id)
  }

  @Post(':id/poster')
  @UseInterceptors(FileInterceptor('poster'))
  @ApiParam({ name: 'id', type: 'integer' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: PosterDto })
  @ApiCreatedResponse({ type: SizeDto })
  @ApiNotFoundResponse({ type: ErrorDto })
  upload(@Param('id', ParseIntPipe) id: number, @UploadedFile() poster: Express.Multer.File | undefined): SizeDto {
    found(id)
    if (poster === undefined) throw new BadRequestException('poster is missing')
    return { size: poster.size }
  }
}

@ApiBadRequestResponse({ type: ErrorDto })
@Controller('tickets')
export class TicketsController {
  @Get()
  @ApiOkResponse({ type: [TicketDto] })
  list(): TicketDto[] {
    return [...tickets.values()]
  }

  @Post()
  @ApiCreatedResponse({ type: TicketDto })
  create(@Body() body: CreateTicketDto): TicketDto {
    const ticket = { ...body, id: randomUUID() }
    tickets.set(ticket.id, ticket)
    return ticket
  }

  @Get(':id')
  @ApiParam({ name: 'id', format: 'uuid' })
  @ApiOkResponse({ type: TicketDto })
  @ApiNotFoundResponse({ type: ErrorDto })
  get(@Param('id', ParseUUIDPipe) id: string): TicketDto {
    const ticket = tickets.get(id)
    if (ticket === undefined) throw new NotFoundException()
    return ticket
  }
}

@ApiBadRequestResponse({ type: ErrorDto })
@Controller()
export class OtherController {
  @Post('newsletter')
  @HttpCode(200)
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiOkResponse({ type: SizeDto })
  subscribe(@Body() body: SubscribeDto): SizeDto {
    return { size: body.email.length }
  }

  @Get('statistics')
  @UseGuards(AuthGuard)
  @ApiBearerAuth()
  @ApiOkResponse({ type: SizeDto })
  @ApiUnauthorizedResponse({ type: ErrorDto })
  statistics(): SizeDto {
    return { size: concerts.size }
  }
}
