package dev.heddle.pool;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RoomTest {

    @ParameterizedTest(name = "{4}")
    @CsvSource({
        "1, 0,   0,   0, 'a slow pool claims for every worker that is free',              true,  0",
        "0, 0,   0,   0, 'nobody is free',                                                false, 0",
        "1, 0,   1,   5, 'few jobs end, so it does not wait for a commit',                true,  3",
        "4, 0,   0, 500, 'half of it, to have the other half while this runs',            true,  250",
        "4, 0, 500, 500, 'all that ran waits for its commit: soon there is room for all', false, 0",
        "4, 0, 254, 500, 'half of it is committed',                                       true,  246",
        "0, 300, 0, 500, 'enough in hand',                                                false, 200",
        "0, 250, 0, 500, 'in hand it gets less',                                          true,  250",
        "2, 9,   0,   0, 'jobs end no longer: what is in hand is too much already',       true,  0"})
    void saysWhenToClaim(int free, int inHand, int unsettled, int mostAhead, String why, boolean worth,
            int ahead) {
        Room room = new Room(free, inHand, unsettled, mostAhead);

        assertThat(room.isWorthAClaim()).as(why).isEqualTo(worth);
        assertThat(room.ahead()).isEqualTo(ahead);
    }
}
