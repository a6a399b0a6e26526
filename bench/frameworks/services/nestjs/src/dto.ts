import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath, PartialType } from '@nestjs/swagger'
import { Type } from 'class-transformer'
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsDefined,
  IsEmail,
  IsEnum,
  IsInt,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator'

export enum Genre {
  Jazz = 'jazz',
  Rock = 'rock',
  Folk = 'folk',
}

export class CreateConcertDto {
  @ApiProperty({ minLength: 1, maxLength: 80 })
  @IsString()
  @Length(1, 80)
  title: string

  @ApiProperty({ enum: Genre, enumName: 'Genre' })
  @IsEnum(Genre)
  genre: Genre

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100000 })
  @IsInt()
  @Min(1)
  @Max(100000)
  seats: number

  @ApiPropertyOptional({ type: Number, nullable: true, exclusiveMinimum: true, minimum: 0 })
  @IsOptional()
  @IsNumber()
  @IsPositive()
  price?: number | null

  @ApiProperty({ format: 'date-time' })
  @IsDateString({ strict: true })
  startsAt: string

  @ApiPropertyOptional({ type: [String], maxItems: 5 })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(5)
  @IsString({ each: true })
  tags?: string[]

  @ApiPropertyOptional()
  @IsOptional()
  @IsBoolean()
  open?: boolean
}

export class UpdateConcertDto extends PartialType(CreateConcertDto) {}

export class ConcertDto extends CreateConcertDto {
  @ApiProperty({ type: 'integer' })
  id: number

  @ApiProperty({ format: 'date-time' })
  createdAt: string
}

export class ConcertPageDto {
  @ApiProperty({ type: [ConcertDto] })
  items: ConcertDto[]

  @ApiProperty({ type: 'integer' })
  total: number
}

export class ConcertQueryDto {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 10000, default: 1 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(10000)
  page: number = 1

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  perPage: number = 20

  @ApiPropertyOptional({ enum: Genre, enumName: 'Genre' })
  @IsOptional()
  @IsEnum(Genre)
  genre?: Genre

  @ApiPropertyOptional({ maxLength: 40 })
  @IsOptional()
  @IsString()
  @MaxLength(40)
  q?: string

  @ApiPropertyOptional({ format: 'date-time' })
  @IsOptional()
  @IsDateString({ strict: true })
  after?: string
}

export class CardDto {
  @ApiProperty({ enum: ['card'] })
  @IsString()
  kind: 'card'

  @ApiProperty({ pattern: '^[0-9]{12,19}$' })
  @Matches(/^[0-9]{12,19}$/)
  number: string
}

export class InvoiceDto {
  @ApiProperty({ enum: ['invoice'] })
  @IsString()
  kind: 'invoice'

  @ApiProperty({ format: 'email' })
  @IsEmail()
  email: string
}

class PaymentDto {
  @IsString()
  kind: string
}

@ApiExtraModels(CardDto, InvoiceDto)
export class CreateTicketDto {
  @ApiProperty({ type: 'integer', minimum: 1 })
  @IsInt()
  @Min(1)
  concertId: number

  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(CardDto) }, { $ref: getSchemaPath(InvoiceDto) }],
    discriminator: {
      propertyName: 'kind',
      mapping: { card: getSchemaPath(CardDto), invoice: getSchemaPath(InvoiceDto) },
    },
  })
  @IsDefined()
  @ValidateNested()
  @Type(() => PaymentDto, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'kind',
      subTypes: [
        { value: CardDto, name: 'card' },
        { value: InvoiceDto, name: 'invoice' },
      ],
    },
  })
  payment: CardDto | InvoiceDto

  @ApiPropertyOptional({ maxLength: 100 })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  note?: string
}

export class TicketDto extends CreateTicketDto {
  @ApiProperty({ format: 'uuid' })
  id: string
}

export class PosterDto {
  @ApiProperty({ type: 'string', format: 'binary' })
  poster: unknown

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  caption?: string
}

export class SubscribeDto {
  @ApiProperty({ format: 'email' })
  @IsEmail()
  email: string

  @ApiPropertyOptional({ enum: Genre, enumName: 'Genre' })
  @IsOptional()
  @IsEnum(Genre)
  genre?: Genre
}

export class SizeDto {
  @ApiProperty({ type: 'integer' })
  size: number
}

export class ErrorDto {
  @ApiProperty({ type: 'integer' })
  statusCode: number

  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
  message: string | string[]

  @ApiPropertyOptional()
  error?: string
}
