package dev.heddle.examples.orders;

import dev.heddle.examples.Example;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OrderDeskTest {

    @Test
    void billsWhatWasCommittedAndNothingElse() throws Exception {
        String url = PostgresServer.shared(Version.V18).createDatabase();

        assertThat(Example.printed(Shop::main, url)).containsExactly(
                "bill for order 1: 1999 cents", "refused: an order over -5 cents", "jobs: [bill, ship]");
    }
}
