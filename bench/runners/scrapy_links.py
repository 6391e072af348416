"""Scrapy: follow every link of the host, keep nothing."""

import re
import sys

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor


origin = "/".join(sys.argv[1].split("/")[:3])


class Links(scrapy.Spider):
    name = "links"
    start_urls = [sys.argv[1]]
    extractor = LinkExtractor(allow=["^" + re.escape(origin + "/")], deny_extensions=[])

    def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            for link in self.extractor.extract_links(response):
                yield scrapy.Request(link.url)


process = CrawlerProcess(
    {
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "LOG_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "COOKIES_ENABLED": False,
        "RETRY_ENABLED": False,
    }
)
process.crawl(Links)
process.start()
