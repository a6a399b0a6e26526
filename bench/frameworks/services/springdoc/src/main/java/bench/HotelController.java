package bench;

import bench.Hotel.Booking;
import bench.Hotel.BookingInput;
import bench.Hotel.Feedback;
import bench.Hotel.Kind;
import bench.Hotel.Length;
import bench.Hotel.Room;
import bench.Hotel.RoomInput;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
public class HotelController {
    private final Map<Long, Room> rooms = new ConcurrentSkipListMap<>();
    private final Map<UUID, Booking> bookings = new ConcurrentSkipListMap<>();
    private final AtomicLong last = new AtomicLong();

    public record Paging(@Min(0) @Max(10000) Integer page, @Min(1) @Max(100) Integer size, List<String> sort) {}

    @GetMapping("/rooms")
    public List<Room> listRooms(
            @ParameterObject @Valid Paging paging,
            @RequestParam(required = false) List<Kind> kind,
            @RequestParam(required = false) @Size(max = 40) String q,
            @RequestParam(required = false) @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate renovatedAfter,
            @RequestParam(defaultValue = "false") boolean smoking) {
        int size = paging.size() == null ? 20 : paging.size();
        int page = paging.page() == null ? 0 : paging.page();
        return rooms.values().stream()
                .filter(room -> kind == null || kind.isEmpty() || kind.contains(room.kind()))
                .filter(room -> q == null || room.name().contains(q))
                .filter(room -> renovatedAfter == null || (room.renovatedOn() != null && room.renovatedOn().isAfter(renovatedAfter)))
                .filter(room -> !smoking || Boolean.TRUE.equals(room.smoking()))
                .skip((long) page * size)
                .limit(size)
                .toList();
    }

    @PostMapping("/rooms")
    @ResponseStatus(HttpStatus.CREATED)
    @SecurityRequirement(name = "bearer")
    @ApiResponse(responseCode = "201")
    @ApiResponse(responseCode = "400")
    @ApiResponse(responseCode = "401")
    public Room createRoom(@RequestHeader(value = HttpHeaders.AUTHORIZATION, required = false) String authorization, @Valid @RequestBody RoomInput input) {
        if (!"Bearer secret-token".equals(authorization)) {
            ErrorResponseException unauthorized = new ErrorResponseException(HttpStatus.UNAUTHORIZED, ProblemDetail.forStatus(HttpStatus.UNAUTHORIZED), null);
            unauthorized.getHeaders().add(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            throw unauthorized;
        }
        Room room = Room.of(last.incrementAndGet(), input);
        rooms.put(room.id(), room);
        return room;
    }

    @GetMapping("/rooms/{id}")
    public Room getRoom(@PathVariable Long id) {
        return found(rooms.get(id));
    }

    @PutMapping("/rooms/{id}")
    public Room replaceRoom(@PathVariable Long id, @Valid @RequestBody RoomInput input) {
        found(rooms.get(id));
        Room room = Room.of(id, input);
        rooms.put(id, room);
        return room;
    }

    @DeleteMapping("/rooms/{id}")
    public ResponseEntity<Void> deleteRoom(@PathVariable Long id) {
        found(rooms.remove(id));
        return ResponseEntity.noContent().build();
    }

    @PostMapping(path = "/rooms/{id}/photo", consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
    public Length uploadPhoto(@PathVariable Long id, @RequestPart MultipartFile photo, @RequestPart(required = false) String caption) throws IOException {
        found(rooms.get(id));
        return new Length(photo.getBytes().length);
    }

    @PostMapping("/bookings")
    @ResponseStatus(HttpStatus.CREATED)
    public Booking book(@Valid @RequestBody BookingInput input) {
        Booking booking = new Booking(UUID.randomUUID(), input.roomId(), input.from(), input.nights(), input.payment(), input.note());
        bookings.put(booking.id(), booking);
        return booking;
    }

    @GetMapping("/bookings")
    public List<Booking> listBookings(@RequestParam(required = false) Long roomId) {
        return bookings.values().stream().filter(booking -> roomId == null || roomId.equals(booking.roomId())).toList();
    }

    @GetMapping("/bookings/{id}")
    public Booking getBooking(@PathVariable UUID id) {
        return found(bookings.get(id));
    }

    @PostMapping("/feedback")
    public Length sendFeedback(@ParameterObject @Valid Feedback feedback) {
        return new Length(feedback.text().length());
    }

    @GetMapping("/statistics")
    public Length statistics(@RequestHeader(name = "X-Depth", required = false) Integer depth, @RequestParam List<Integer> years) {
        return new Length(years.size());
    }

    private static <T> T found(T thing) {
        if (thing == null) throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        return thing;
    }
}
