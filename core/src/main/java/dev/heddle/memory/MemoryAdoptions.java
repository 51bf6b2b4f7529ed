package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.job.JobState;
import dev.heddle.store.AdoptionStore.Reservation;
import dev.heddle.store.AdoptionStore.ReservedAttempt;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.Fence;

/** The attempts of a {@link MemoryStore} that are reserved for a machine. */
final class MemoryAdoptions {

    /** For no machine, and over: recovery takes the attempt, and renewals list its node until that has happened. */
    private static final Reserved OVER = new Reserved("", "", Instant.EPOCH);

    private final MemoryTable table;

    /** A reservation in a row, which ends at this time by the clock of the store. */
    record Reserved(String machine, String boot, Instant until) {

        Reserved movedBy(Duration jump) {
            return new Reserved(machine, boot, until.plus(jump));
        }
    }

    MemoryAdoptions(MemoryTable table) {
        this.table = table;
    }

    /** Returns whether recovery has to skip the attempt. A cancelled attempt is never skipped. */
    static boolean isReserved(MemoryRow row, Instant now) {
        Reserved reservation = row.reservation;
        return row.state.isHeld() && reservation != null && reservation.until().isAfter(now);
    }

    boolean reserve(Fence attempt, Reservation reservation) {
        MemoryRow row = table.find(attempt.seq());
        if (row == null || !row.state.isHeld() || !row.isHeldUnder(attempt)) {
            return false;
        }
        row.reservation = new Reserved(reservation.machine(), reservation.boot(),
                MemoryRow.millis(table.now().plus(reservation.lasts())));
        return true;
    }

    private Stream<MemoryRow> reservedRows() {
        return table.held.stream().filter(row -> row.reservation != null);
    }

    private static Reserved reserved(MemoryRow row) {
        return Objects.requireNonNull(row.reservation);
    }

    /** Keeps how long reservations still last when the clock was set. */
    void moveEnds(Duration jump) {
        reservedRows().forEach(row -> row.reservation = reserved(row).movedBy(jump));
    }

    List<ReservedAttempt> reservedFor(String machine) {
        return reservedRows().filter(row -> row.state.isHeld() && reserved(row).machine().equals(machine))
                .map(row -> new ReservedAttempt(new Fence(row.seq, row.attempt, Objects.requireNonNull(row.node)),
                        row.spec.id(), row.spec.type(), reserved(row).boot()))
                .toList();
    }

    List<ClaimResult.Claim> adopt(List<Fence> attempts, String node, Instant now) {
        List<MemoryRow> rows = attempts.stream().flatMap(fence -> Stream.ofNullable(table.find(fence.seq()))
                .filter(row -> row.state.isHeld() && row.isHeldUnder(fence))).toList();
        rows.forEach(row -> take(row, node, now));
        return rows.stream().map(row -> ClaimResult.Claim.adopted(row.job(), left(row))).toList();
    }

    private Duration left(MemoryRow row) {
        Reserved reservation = row.reservation;
        return reservation == null ? Duration.ZERO : Duration.between(table.now(), reservation.until());
    }

    private void take(MemoryRow row, String node, Instant now) {
        table.change(row, r -> {
            r.node = node;
            r.state = JobState.RUNNING;
            r.startedAt = Objects.requireNonNullElse(r.startedAt, MemoryRow.millis(now));
        });
    }

    void unreserve(List<Fence> attempts) {
        attempts.stream()
                .flatMap(fence -> Stream.ofNullable(table.find(fence.seq())).filter(row -> row.isHeldUnder(fence)))
                .filter(row -> row.reservation != null).forEach(row -> row.reservation = OVER);
    }

    /** Returns nodes that are gone and have attempts whose reservation ended, or which were cancelled. */
    Set<String> expired(Set<String> alive) {
        return reservedRows().filter(row -> !isReserved(row, table.now())).map(row -> Objects.requireNonNull(row.node))
                .filter(node -> !alive.contains(node)).collect(Collectors.toSet());
    }
}
