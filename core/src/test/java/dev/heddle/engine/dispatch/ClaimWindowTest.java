package dev.heddle.engine.dispatch;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ClaimWindowTest {

    @ParameterizedTest(name = "{4}")
    @CsvSource({"1, 0,   0,   0, 'a slow pool claims for every free worker',                       true,  0",
        "0, 0,   0,   0, 'no worker is free',                                              false, 0",
        "1, 0,   1,   5, 'few jobs end, so it does not wait for a commit',                 true,  3",
        "4, 0,   0, 500, 'claims half, and the other half while these run',                true,  250",
        "4, 0, 500, 500, 'all ended jobs wait for their commit: there will be more room',  false, 0",
        "4, 0, 254, 500, 'half of them are committed',                                     true,  246",
        "0, 300, 0, 500, 'enough claims wait',                                             false, 200",
        "0, 250, 0, 500, 'few enough claims wait',                                         true,  250",
        "2, 9,   0,   0, 'jobs no longer end: too many claims wait, but a worker is free', true,  0"})
    void decidesWhenToClaim(int free, int waiting, int unsettled, int maxAhead, String why, boolean worth, int ahead) {
        ClaimWindow window = new ClaimWindow(free, waiting, unsettled, maxAhead);

        assertThat(window.isWorthAClaim()).as(why).isEqualTo(worth);
        assertThat(window.ahead()).isEqualTo(ahead);
    }
}
