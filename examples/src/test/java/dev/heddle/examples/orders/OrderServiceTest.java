package dev.heddle.examples.orders;

import dev.heddle.examples.ExampleRunner;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OrderServiceTest {

    @Test
    void billsOnlyCommittedOrders() throws Exception {
        String url = PostgresServer.shared(Version.V18).createDatabase();

        assertThat(ExampleRunner.printed(OrderDemo::main, url)).containsExactly(
                "bill for order 1: 1999 cents", "refused: order 2 has an invalid amount of -5 cents",
                "jobs: [bill, ship]");
    }
}
