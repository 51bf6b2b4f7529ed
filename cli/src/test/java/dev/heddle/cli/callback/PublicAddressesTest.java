package dev.heddle.cli.callback;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PublicAddressesTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.255.0.1", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "198.18.0.1", "192.0.0.1", "224.0.0.1",
        "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd12::1", "fec0::1", "ff02::1",
        "::ffff:10.0.0.1", "::10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001:0:1::1"})
    void doNotContain(String address) throws UnknownHostException {
        assertThat(PublicAddresses.contain(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.8.8.8", "172.32.0.1", "100.128.0.1", "192.0.1.1", "169.253.0.1", "2001:4860:4860::8888",
        "64:ff9b::808:808", "2002:808:808::"})
    void contain(String address) throws UnknownHostException {
        assertThat(PublicAddresses.contain(InetAddress.getByName(address))).isTrue();
    }
}
