package dev.heddle.limit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import dev.heddle.job.LimitKey;
import dev.heddle.limit.Allotment.Group;
import dev.heddle.limit.Allotment.Pick;
import dev.heddle.limit.Allotment.Room;
import dev.heddle.limit.Allotment.Waiting;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AllotmentTest {

    private static Group<String> group(String name, List<LimitKey> keys, int... priorities) {
        return new Group<>(name.hashCode(), keys, IntStream.range(0, priorities.length)
                .mapToObj(i -> new Waiting<>(priorities[i], false, name + i)).toList());
    }

    private static LimitKey key(String key) {
        return new LimitKey("limit", key);
    }

    private static Map<Long, Room> slots(Object... keysAndSlots) {
        Map<Long, Room> rooms = new HashMap<>();
        for (int i = 0; i < keysAndSlots.length; i += 2) {
            rooms.put(LimitIds.key(key((String) keysAndSlots[i])),
                    new Room((Integer) keysAndSlots[i + 1], Long.MAX_VALUE, Long.MAX_VALUE));
        }
        return rooms;
    }

    private static List<String> picks(int limit, Map<Long, Room> rooms, List<Group<String>> groups) {
        return Allotment.picks(groups, rooms, limit).stream().map(Pick::job).toList();
    }

    @Test
    void givesEachGroupATurn() {
        assertThat(picks(5, slots("a", 9, "b", 9),
                List.of(group("a", List.of(key("a")), 0, 0, 0, 0), group("b", List.of(key("b")), 0, 0))))
                .containsExactly("a0", "b0", "a1", "b1", "a2");
    }

    @Test
    void takesTheHighestPriorityFirst() {
        assertThat(picks(4, slots("a", 9, "b", 9),
                List.of(group("a", List.of(key("a")), 0, 0), group("b", List.of(key("b")), 2, 1, 0))))
                .containsExactly("b0", "b1", "a0", "a1");
    }

    @Test
    void leavesOutGroupsWithoutRoom() {
        List<Group<String>> groups = List.of(group("a", List.of(key("a"), key("x")), 0, 0),
                group("b", List.of(key("b"), key("x")), 0, 0), group("c", List.of(key("c")), 0));
        Map<Long, Room> rooms = slots("a", 0, "b", 9, "c", -1, "x", 1);
        List<Pick<String>> picks = Allotment.picks(groups, rooms, 10);
        assertThat(picks.stream().map(Pick::job)).containsExactly("b0");
        assertThat(Allotment.full(groups, rooms, picks.stream().map(Pick::group).toList())).containsExactly(
                Map.entry(groups.get(0), key("a")), Map.entry(groups.get(1), key("x")),
                Map.entry(groups.get(2), key("c")));
    }

    @Test
    void aHeavyJobNeedsItsUnitsOrTheWholeBurst() {
        LimitKey heavy = new LimitKey("limit", "a", 4);
        Group<String> group = group("a", List.of(heavy), 0);
        assertThat(picks(1, Map.of(LimitIds.key(heavy), new Room(9, 3, 5)), List.of(group))).isEmpty();
        assertThat(picks(1, Map.of(LimitIds.key(heavy), new Room(9, 4, 5)), List.of(group))).hasSize(1);
        assertThat(picks(1, Map.of(LimitIds.key(heavy), new Room(9, 3, 3)), List.of(group))).hasSize(1);
    }

    @Test
    void endsWithAJobBesideWhichNothingMayStart() {
        Group<String> group = new Group<>(1, List.of(key("a")),
                List.of(new Waiting<>(0, true, "suspect"), new Waiting<>(0, false, "next")));
        assertThat(picks(5, slots("a", 9), List.of(group))).containsExactly("suspect");
    }

    /** For random groups: no room is exceeded, none is left that a waiting job could use, and turns are fair. */
    @Test
    void usesAllRoomAndNoMoreAndIsFair() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Map<Long, Room> rooms = slots("k0", random.nextInt(4), "k1", random.nextInt(4), "k2", random.nextInt(9));
            List<Group<String>> groups = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                List<LimitKey> keys = random.nextBoolean() ? List.of(key("k" + random.nextInt(3)))
                        : List.of(key("k0"), key("k2"));
                groups.add(group("g" + i, keys, new int[random.nextInt(6)]));
            }
            int limit = random.nextInt(12);
            List<Pick<String>> picks = Allotment.picks(groups, rooms, limit);
            Map<Long, Long> left = new HashMap<>();
            rooms.forEach((key, room) -> left.put(key, room.slots()));
            picks.forEach(pick -> pick.group().keys().forEach(key -> left.merge(LimitIds.key(key), -1L, Long::sum)));
            assertThat(left.values()).as("seed %d", seed).allMatch(slots -> slots >= 0);
            for (Group<String> group : groups) {
                long taken = picks.stream().filter(pick -> pick.group().equals(group)).count();
                boolean full = group.keys().stream().anyMatch(key -> left.getOrDefault(LimitIds.key(key), 0L) == 0);
                assertThat(picks.size() == limit || full || taken == group.jobs().size()).as("seed %d", seed).isTrue();
                for (Group<String> other : groups) {
                    if (other.keys().equals(group.keys()) && taken < group.jobs().size()) {
                        assertThat(picks.stream().filter(pick -> pick.group().equals(other)).count())
                                .as("seed %d", seed).isLessThanOrEqualTo(taken + 1);
                    }
                }
            }
        }
    }
}
